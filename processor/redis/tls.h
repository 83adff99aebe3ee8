// TLS on a hiredis connection, where the hiredis at hand can do it.
#pragma once

#include "processor/base/result.h"

#include <string>

struct redisContext;

namespace redis {

/// False when this hiredis has none (before 1.0, or built without).
[[nodiscard]] bool canUseTls();

/// Makes a fresh TCP connection a TLS one: the server's certificate must lead to a root of the
/// system and name `host`. Without canUseTls() it is refused.
[[nodiscard]] base::Status startTls(redisContext* context, const std::string& host);

} // namespace redis
