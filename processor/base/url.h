// URLs taken apart, and shown without what must stay secret.
#pragma once

#include "processor/base/result.h"
#include "processor/base/secret.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace base {

/// The parts of scheme://[user[:password]@][host[:port]][/path][?name=value&…], percent-decoded.
struct Url
{
    std::string scheme; // lower case
    std::string user;
    Secret password;
    std::string host; // without the brackets of an IPv6 address
    std::optional<std::uint16_t> port;
    std::string path; // with its leading slash, if there is one
    std::map<std::string, std::string> query;
};

/// Invalid when it is no such URL; the message never repeats the text, which may hold a password.
[[nodiscard]] Result<Url> parseUrl(std::string_view text);

/// What may be shown of a URL or a libpq connection string: passwords become "***". Made for text
/// that need not be well-formed, so it rather hides too much.
[[nodiscard]] std::string maskUrl(std::string_view text);

/// As maskUrl(), and path and query are hidden too: some services put their key there.
[[nodiscard]] std::string maskUrlAndPath(std::string_view text);

} // namespace base
