// What counts as one remote address for the rate limits.
#pragma once

#include <string>
#include <string_view>

namespace ingest {

/// An IPv4 address as it is, also when written as an IPv6 one (::ffff:192.0.2.1). Of any other
/// IPv6 address the network, as in 2001:db8:0:1::/64, because a single host has all of a /64 to
/// send from. What is no address stays as it is.
[[nodiscard]] std::string limitedAddress(std::string_view remote);

} // namespace ingest
