// HMAC-SHA256 (RFC 2104): signing, checking a signature, deriving keys.
#pragma once

#include "processor/base/secret.h"
#include "processor/crypto/digest.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

namespace crypto {

/// True when both have equal length and octets; the time taken depends on the length only.
[[nodiscard]] bool equalInConstantTime(
    std::span<const std::byte> one, std::span<const std::byte> other);

/// A key with its hash states kept, about 0.4 µs for a webhook's body. Not shared between threads:
/// each takes its own (copying is cheap).
class HmacSha256
{
public:
    explicit HmacSha256(const base::Secret& key);
    explicit HmacSha256(std::span<const std::byte> key);
    HmacSha256(const HmacSha256& other);
    HmacSha256(HmacSha256&&) noexcept;
    HmacSha256& operator=(const HmacSha256&) = delete;
    HmacSha256& operator=(HmacSha256&&) noexcept;
    ~HmacSha256();

    [[nodiscard]] Digest sign(std::span<const std::byte> message) const;
    [[nodiscard]] Digest sign(std::string_view message) const;

    /// Strict: `signature` is exactly 64 hexadecimal digits in either case, nothing around them.
    [[nodiscard]] bool verifyHex(std::string_view message, std::string_view signature) const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// A key of its own for one purpose: HMAC-SHA256(secret, label). Whoever learns it learns neither
/// the secret nor the key of another label.
[[nodiscard]] base::Secret deriveKey(const base::Secret& secret, std::string_view label);

} // namespace crypto
