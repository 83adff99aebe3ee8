// Bytes as hexadecimal digits and back.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace base {

/// Two lower-case digits a byte.
std::string toHex(std::span<const std::byte> bytes);

/// Strict: an even number of digits in either case and nothing else, otherwise empty.
std::optional<std::vector<std::byte>> fromHex(std::string_view digits);

/// The bytes of a text, without a copy; the text must outlive the span.
inline std::span<const std::byte> asBytes(std::string_view text)
{
    return std::as_bytes(std::span{text.data(), text.size()});
}

} // namespace base
