// Which error replies of Redis mean what for the caller.
#pragma once

#include "processor/base/result.h"

#include <string_view>

namespace redis {

/// An error reply ("WRONGTYPE Operation against …") as Error: its first word is the code. Kind
/// Unavailable when the same command can work later without anybody changing it, else Conflict.
[[nodiscard]] base::Error errorOfReply(std::string_view text);

/// True when this server will not do it, but the one behind the same address may soon be another
/// (a replica after a failover): the connection should be given up.
[[nodiscard]] bool needsNewConnection(const base::Error& error);

} // namespace redis
