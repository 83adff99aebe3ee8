// What countersignd is asked to do.
#pragma once

#include <cstdint>
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

struct PeopleAddCommand
{
    std::string login;
    std::string person; // several logins may be one person's
    std::string role; // "support", "operator", "approver", "admin"
};

struct PeopleListCommand
{};

struct LettersListCommand
{
    std::optional<std::string> cause;
    std::optional<std::string> state;
    std::int64_t limit = 50;
    std::optional<std::int64_t> after; // the last id of the page before
};

struct LettersShowCommand
{
    std::int64_t id = 0;
};

struct LettersDrainCommand
{};

using Command = std::variant<ServeCommand, MigrateCommand, DoctorCommand, ConfigSampleCommand,
    ConfigShowCommand, UsersImportCommand, AssetsAddCommand, PeopleAddCommand, PeopleListCommand,
    LettersListCommand, LettersShowCommand, LettersDrainCommand>;

} // namespace config
