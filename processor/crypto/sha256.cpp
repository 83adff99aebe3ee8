#include "processor/crypto/sha256.h"

#include "processor/base/check.h"
#include "processor/base/hex.h"

#include <openssl/evp.h>

#include <memory>

namespace crypto {

namespace {

struct FreeDigestContext
{
    void operator()(EVP_MD_CTX* raw) const noexcept { EVP_MD_CTX_free(raw); }
};

struct FreeDigestMethod
{
    void operator()(EVP_MD* raw) const noexcept { EVP_MD_free(raw); }
};

// Fetching the method and making a context cost more than hashing an idempotency key does.
struct Hasher
{
    std::unique_ptr<EVP_MD, FreeDigestMethod> method{EVP_MD_fetch(nullptr, "SHA256", nullptr)};
    std::unique_ptr<EVP_MD_CTX, FreeDigestContext> context{EVP_MD_CTX_new()};
};

} // namespace

Digest sha256(std::span<const std::byte> bytes)
{
    thread_local const Hasher hasher;
    CHECK(hasher.method != nullptr && hasher.context != nullptr);
    Digest digest{};
    EVP_MD_CTX* const context = hasher.context.get();
    CHECK(EVP_DigestInit_ex2(context, hasher.method.get(), nullptr) == 1);
    CHECK(EVP_DigestUpdate(context, bytes.data(), bytes.size()) == 1);
    CHECK(
        EVP_DigestFinal_ex(context, reinterpret_cast<unsigned char*>(digest.data()), nullptr) == 1);
    return digest;
}

Digest sha256(std::string_view bytes)
{
    return sha256(base::asBytes(bytes));
}

} // namespace crypto
