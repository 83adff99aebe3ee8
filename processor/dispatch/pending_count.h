// PendingCount: how many entries are "processing", for /status; unknown while Redis is away.
#pragma once

#include "processor/dispatch/stream_names.h"
#include "processor/redis/client.h"

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

namespace dispatch {

/// Thread-safe; on a connection of its own with short time-outs.
class PendingCount
{
public:
    explicit PendingCount(
        redis::ClientOptions options, std::string group = std::string{kBalanceUpdaters});

    /// Entries delivered to a consumer of the group and not yet acknowledged; empty: unknown.
    std::optional<std::int64_t> read();

private:
    std::mutex m_mutex;
    redis::Client m_redis;
    const std::string m_group;
};

} // namespace dispatch
