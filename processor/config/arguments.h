// Turns arguments into a command and flags (CLI11).
#pragma once

#include "processor/config/command.h"
#include "processor/config/layers.h"

#include <string>
#include <variant>
#include <vector>

namespace config {

struct ParsedArguments
{
    Command command;
    bool asJson = false;
    std::string configFile; // empty: not given
    SaidByName flags; // by flag, "--database-url"
};

/// Help and version, or why the arguments cannot be understood.
[[nodiscard]] std::variant<ParsedArguments, Farewell> parseArguments(
    const std::vector<std::string>& arguments);

} // namespace config
