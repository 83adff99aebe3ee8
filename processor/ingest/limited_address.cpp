#include "processor/ingest/limited_address.h"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <span>

namespace ingest {
namespace {

constexpr std::size_t kIpv4At = 12; // where a mapped IPv4 address begins
constexpr std::size_t kNetworkOctets = 8; // a /64

std::string textOf(int family, const void* address)
{
    std::array<char, INET6_ADDRSTRLEN> text{};
    const char* written = inet_ntop(family, address, text.data(), text.size());
    return written == nullptr ? std::string{} : std::string{written};
}

} // namespace

std::string limitedAddress(std::string_view remote)
{
    const std::string text{remote.substr(0, remote.find('%'))}; // without the interface
    in6_addr address{};
    if (inet_pton(AF_INET6, text.c_str(), &address) != 1) return std::string{remote};

    if (IN6_IS_ADDR_V4MAPPED(&address) != 0) return textOf(AF_INET, &address.s6_addr[kIpv4At]);
    std::ranges::fill(std::span{address.s6_addr}.subspan(kNetworkOctets), std::uint8_t{0});
    return textOf(AF_INET6, &address) + "/64";
}

} // namespace ingest
