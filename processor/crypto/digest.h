// The 32 octets of a SHA-256 or an HMAC-SHA256.
#pragma once

#include <array>
#include <cstddef>

namespace crypto {

using Digest = std::array<std::byte, 32>;

} // namespace crypto
