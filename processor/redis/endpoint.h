// Where a Redis is and who we are there, as its URL says.
#pragma once

#include "processor/base/result.h"
#include "processor/base/secret.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace redis {

struct Endpoint
{
    std::string host; // empty: a socket
    std::uint16_t port;
    std::string socketPath;
    std::string user;
    base::Secret password;
    int database;
    bool isTls;
};

/// Understands redis://[[user]:password@]host[:port][/db], rediss:// likewise,
/// unix://PATH[?db=N] with an absolute or a relative path. Port 6379 and database 0 are assumed.
[[nodiscard]] base::Result<Endpoint> parseEndpoint(std::string_view url);

/// "host:port" or the socket's path, for messages.
[[nodiscard]] std::string nameOf(const Endpoint& endpoint);

} // namespace redis
