#include "processor/base/uuid.h"

#include "processor/base/check.h"
#include "processor/base/hex.h"

#include <sys/random.h>

#include <array>
#include <cerrno>
#include <cstddef>

namespace base {

std::string randomUuid()
{
    std::array<std::byte, 16> bytes{};
    ssize_t got = 0;
    do {
        got = getrandom(bytes.data(), bytes.size(), 0);
    } while (got < 0 && errno == EINTR);
    CHECK(got == static_cast<ssize_t>(bytes.size())); // up to 256 bytes come whole or not at all

    bytes[6] = (bytes[6] & std::byte{0x0F}) | std::byte{0x40}; // version 4
    bytes[8] = (bytes[8] & std::byte{0x3F}) | std::byte{0x80}; // variant 1
    std::string text = toHex(bytes);
    for (const std::size_t position : {20U, 16U, 12U, 8U}) {
        text.insert(position, 1, '-');
    }
    return text;
}

} // namespace base
