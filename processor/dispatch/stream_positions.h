// StreamPositions: how far each group has come, kept in PostgreSQL; only then entries are dropped.
#pragma once

#include "processor/base/alert.h"
#include "processor/base/metrics.h"
#include "processor/base/result.h"
#include "processor/dispatch/stream.h"
#include "processor/pg/connection.h"

#include <cstdint>
#include <vector>

namespace dispatch {

/// A position is a low watermark: everything up to it has been acknowledged.
class StreamPositions
{
public:
    /// A group that holds back at least `trimBlockedEntries` entries is an alert.
    StreamPositions(Stream& stream, base::Alerter& alerter, base::Metrics& metrics,
        std::int64_t trimBlockedEntries);

    /// Stores what `view` shows and trims to the lowest position of all groups, stored ones and
    /// those found on the stream. `last` is the stream's last number. Returns the entries dropped.
    base::Result<std::int64_t> keep(
        pg::Connection& connection, const StreamView& view, std::int64_t last);

private:
    base::Status store(pg::Connection& connection, const StreamView& view) const;
    base::Result<std::vector<GroupPosition>> readStored(pg::Connection& connection) const;
    void show(const StreamView& view, std::int64_t last);
    void tellWhoBlocks(const std::vector<GroupPosition>& stored, std::int64_t last);
    base::Result<std::int64_t> trimTo(const StreamView& view, std::int64_t lowest);

    Stream& m_stream;
    base::Alerter& m_alerter;
    base::Metrics& m_metrics;
    const std::int64_t m_trimBlockedEntries;
};

} // namespace dispatch
