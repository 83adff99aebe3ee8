#include "processor/redis/reply_errors.h"

#include <algorithm>
#include <array>
#include <string>

namespace redis {

namespace {

// Redis 7 and 8, src/server.c (shared.*err) and the ACL documentation.
constexpr std::array kTransientCodes{
    std::string_view{"BUSY"}, // a script runs too long
    std::string_view{"CLUSTERDOWN"},
    std::string_view{"LOADING"}, // reads its file after a start
    std::string_view{"MASTERDOWN"},
    std::string_view{"MISCONF"}, // cannot persist and therefore refuses writes
    std::string_view{"NOAUTH"}, // these of the login: an operator repairs them, we cannot
    std::string_view{"NOPERM"},
    std::string_view{"NOREPLICAS"},
    std::string_view{"OOM"}, // full
    std::string_view{"READONLY"}, // a replica
    std::string_view{"TRYAGAIN"},
    std::string_view{"UNBLOCKED"},
    std::string_view{"WRONGPASS"},
};
static_assert(std::ranges::is_sorted(kTransientCodes));

} // namespace

base::Error errorOfReply(std::string_view text)
{
    const std::string_view code = text.substr(0, text.find(' '));
    const bool isTransient = std::ranges::binary_search(kTransientCodes, code);
    return {isTransient ? base::ErrorKind::Unavailable : base::ErrorKind::Conflict,
        "Redis: " + std::string{text}, std::string{code}};
}

bool needsNewConnection(const base::Error& error)
{
    return error.code == "READONLY" || error.code == "UNBLOCKED" || error.code == "NOAUTH";
}

} // namespace redis
