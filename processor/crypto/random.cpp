#include "processor/crypto/random.h"

#include "processor/base/check.h"

#include <openssl/rand.h>

#include <limits>

namespace crypto {

std::vector<std::byte> randomBytes(std::size_t count)
{
    CHECK(count <= std::numeric_limits<int>::max());
    std::vector<std::byte> bytes(count);
    CHECK(RAND_bytes(reinterpret_cast<unsigned char*>(bytes.data()), static_cast<int>(count)) == 1);
    return bytes;
}

} // namespace crypto
