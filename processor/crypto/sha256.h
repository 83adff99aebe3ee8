// SHA-256 (FIPS 180-4).
#pragma once

#include "processor/crypto/digest.h"

#include <cstddef>
#include <span>
#include <string_view>

namespace crypto {

/// SHA-256 of the octets.
[[nodiscard]] Digest sha256(std::span<const std::byte> bytes);
[[nodiscard]] Digest sha256(std::string_view bytes);

} // namespace crypto
