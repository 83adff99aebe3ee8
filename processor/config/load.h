// The one entry of this module: arguments and environment in, a judged request out.
#pragma once

#include "processor/config/command.h"
#include "processor/config/settings.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace config {

/// The value of an environment variable, or nothing.
using EnvironmentLookup = std::function<std::optional<std::string>(std::string_view name)>;
[[nodiscard]] EnvironmentLookup processEnvironment();

/// Something to do.
struct Request
{
    Command command;
    bool asJson;
    Settings settings; // what the command does not use has its default
    std::string report; // of ConfigSample and ConfigShow: what they print
};

/// Nothing to do but to say `text` and end.
struct Farewell
{
    enum class Kind {
        Help, // --help, --version: standard output, success
        Usage, // arguments nobody understands: standard error, exit 64
        Complaints, // every complaint about the settings, one a line: standard error, exit 78
    };
    Kind kind;
    std::string text; // ends with a line end
};

/// Reads everything and starts nothing. `arguments` are without the program's name.
[[nodiscard]] std::variant<Request, Farewell> load(
    const std::vector<std::string>& arguments, const EnvironmentLookup& environment);

} // namespace config
