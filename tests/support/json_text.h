// Picks values out of flat JSON that our own programs wrote; no parser, and not for hostile text.
#pragma once

#include <string>
#include <string_view>

namespace support {

/// The text of the first member of that name, escapes of one character resolved; empty when it is
/// absent or no string.
[[nodiscard]] std::string textMember(std::string_view json, std::string_view name);

/// The digits (or word) of a member that is a number, a boolean or null; empty when absent.
[[nodiscard]] std::string bareMember(std::string_view json, std::string_view name);

} // namespace support
