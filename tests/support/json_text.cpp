#include "tests/support/json_text.h"

namespace support {
namespace {

// What follows `"name":`, or empty.
std::string_view afterName(std::string_view json, std::string_view name)
{
    const auto quoted = "\"" + std::string{name} + "\"";
    for (auto at = json.find(quoted); at != std::string_view::npos;
         at = json.find(quoted, at + 1)) {
        const auto rest = json.substr(at + quoted.size());
        const auto colon = rest.find_first_not_of(" \t\r\n");
        if (colon == std::string_view::npos || rest[colon] != ':') continue;
        const auto value = rest.find_first_not_of(" \t\r\n", colon + 1);
        return value == std::string_view::npos ? std::string_view{} : rest.substr(value);
    }
    return {};
}

} // namespace

std::string textMember(std::string_view json, std::string_view name)
{
    const auto value = afterName(json, name);
    if (value.empty() || value.front() != '"') return {};
    std::string text;
    for (std::size_t i = 1; i < value.size() && value[i] != '"'; ++i) {
        if (value[i] == '\\' && i + 1 < value.size()) ++i;
        text += value[i];
    }
    return text;
}

std::string bareMember(std::string_view json, std::string_view name)
{
    const auto value = afterName(json, name);
    return std::string{value.substr(0, value.find_first_of(",}] \t\r\n"))};
}

} // namespace support
