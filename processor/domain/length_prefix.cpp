#include "processor/domain/length_prefix.h"

#include "processor/base/check.h"

#include <cstdint>
#include <limits>

namespace domain {

void appendWithLength(std::string& octets, std::string_view text)
{
    CHECK(text.size() <= std::numeric_limits<std::uint32_t>::max());
    const auto length = static_cast<std::uint32_t>(text.size());
    for (const int shift : {24, 16, 8, 0}) {
        octets.push_back(static_cast<char>(static_cast<unsigned char>(length >> shift)));
    }
    octets += text;
}

} // namespace domain
