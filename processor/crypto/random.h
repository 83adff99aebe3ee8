// Random octets for keys and tokens.
#pragma once

#include <cstddef>
#include <vector>

namespace crypto {

/// `count` octets from OpenSSL's generator, fit for secrets.
[[nodiscard]] std::vector<std::byte> randomBytes(std::size_t count);

} // namespace crypto
