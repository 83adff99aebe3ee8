// StreamAligner: brings the stream in line with the log, whatever happened to either of them.
#pragma once

#include "processor/base/alert.h"
#include "processor/base/result.h"
#include "processor/dispatch/stream.h"
#include "processor/pg/connection.h"

#include <cstdint>
#include <string>
#include <vector>

namespace dispatch {

struct Alignment
{
    std::int64_t last; // the next append has to follow this number
    StreamView view; // as it was found; what was repaired since is not in it
};

/// PostgreSQL is the truth. A stream that is missing or was wiped is begun anew at the stored
/// positions; a missing group is made at its stored position; a stream whose last entry is not the
/// log's line of that number (a restore, a failover to an older primary, a foreign hand) is set
/// aside, a new epoch begun, and the stream built anew.
class StreamAligner
{
public:
    /// `groups` exist in any case, whether or not they were ever stored.
    StreamAligner(Stream& stream, base::Alerter& alerter, std::vector<std::string> groups);

    /// Error: Unavailable while one of the stores is away; Conflict when another relay acts at the
    /// same moment (align again).
    base::Result<Alignment> align(pg::Connection& connection);

private:
    struct LogBounds
    {
        std::int64_t first; // 0 when the log is empty
        std::int64_t last;
        std::string epoch;
    };

    base::Result<LogBounds> readBounds(pg::Connection& connection) const;
    base::Result<std::vector<GroupPosition>> readPositions(
        pg::Connection& connection, const LogBounds& bounds) const;
    base::Result<bool> tellsTheLog(pg::Connection& connection, const StreamView& view) const;
    base::Result<Alignment> startAfresh(pg::Connection& connection, StreamView view);
    base::Result<Alignment> breakWith(pg::Connection& connection, StreamView view);
    base::Result<std::string> renewEpoch(pg::Connection& connection, const std::string& old) const;
    [[nodiscard]] bool lacksGroup(
        const StreamView& view, const std::vector<GroupPosition>& positions) const;

    Stream& m_stream;
    base::Alerter& m_alerter;
    const std::vector<std::string> m_groups;
};

} // namespace dispatch
