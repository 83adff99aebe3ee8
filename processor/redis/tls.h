// TLS on a hiredis connection, where the hiredis at hand can do it.
#pragma once

#include "processor/base/result.h"

#include <string>

struct redisContext;

namespace redis {

/// Makes a fresh TCP connection a TLS one: the server's certificate must lead to a root of the
/// system and name `host`. Invalid, with the reason, when this hiredis has no TLS.
[[nodiscard]] base::Status startTls(redisContext* context, const std::string& host);

} // namespace redis
