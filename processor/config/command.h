// What countersignd is asked to do.
#pragma once

#include <optional>
#include <string>
#include <variant>

namespace config {

struct ServeCommand
{};

struct MigrateCommand
{
    bool planOnly = false; // say what would be done and do nothing
};

struct DoctorCommand
{};

struct ConfigSampleCommand
{};

struct ConfigShowCommand
{};

struct UsersImportCommand
{
    std::string file; // CSV
};

struct AssetsAddCommand
{
    std::string code;
    std::string chain; // CAIP-2
    std::optional<std::string> contract; // lower case; empty: the chain's native asset
    int decimals = 0;
};

using Command = std::variant<ServeCommand, MigrateCommand, DoctorCommand, ConfigSampleCommand,
    ConfigShowCommand, UsersImportCommand, AssetsAddCommand>;

} // namespace config
