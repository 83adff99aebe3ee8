// UTF-8: where a character ends, and text that every reader takes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace base {

/// Length of the well-formed UTF-8 sequence at the start of `text` (Unicode table 3-7: no overlong
/// forms, no surrogates, nothing above U+10FFFF); 0 when there is none. `text` is not empty.
[[nodiscard]] std::size_t utf8Length(std::string_view text);

/// At most `most` octets of a text of unknown origin, such as an error message, as PostgreSQL takes
/// it: never cut within a character; NUL and what is no UTF-8 become '?'.
[[nodiscard]] std::string cleanText(std::string_view text, std::size_t most);

} // namespace base
