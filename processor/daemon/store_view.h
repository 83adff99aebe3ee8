// StoreView: how the stores stand right now, as /status, /readyz and the gauges show it.
#pragma once

#include "processor/base/result.h"
#include "processor/dispatch/stream.h"
#include "processor/redis/client.h"
#include "processor/store/own_connection.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace processor {

struct DatabaseView
{
    std::int64_t schema = 0; // newest migration
    std::int64_t enqueued = 0; // each bounded by a million and one
    std::int64_t pending = 0;
    std::int64_t openLetters = 0;
    std::optional<std::int64_t> oldestAgeMs; // of the workable events; empty: there is none
    std::int64_t logLast = 0;
    std::int64_t confirmedEstimate = 0;
    std::int64_t failedEstimate = 0;
};

/// What could be read; where a store is away its error stands instead.
struct StoreView
{
    base::Result<DatabaseView> database;
    base::Result<dispatch::StreamView> stream;

    /// Delivered to a settler's group and not yet acknowledged; empty while Redis is away.
    [[nodiscard]] std::optional<std::int64_t> processing() const;
    /// Number of the stream's last entry; empty while Redis is away.
    [[nodiscard]] std::optional<std::int64_t> streamLast() const;
    /// Lines of the log that a group has not been given yet; empty when that is not known.
    [[nodiscard]] std::optional<std::int64_t> lagOf(const dispatch::GroupView& group) const;
};

/// Connections of its own; for one thread.
class StoreViewReader
{
public:
    StoreViewReader(pg::ConnectOptions database, const std::string& redisUrl);

    StoreView read();

private:
    base::Result<DatabaseView> readDatabase();

    store::OwnConnection m_database;
    dispatch::Stream m_stream;
    std::int64_t m_logLast = 0;
};

} // namespace processor
