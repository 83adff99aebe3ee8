// Length-prefixed text: what is joined so can be taken apart in one way only.
#pragma once

#include <string>
#include <string_view>

namespace domain {

/** Appends the length as 4 octets, big-endian, and the text. */
void appendWithLength(std::string& octets, std::string_view text);

} // namespace domain
