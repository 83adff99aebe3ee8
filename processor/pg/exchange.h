// Exchange: one request on a non-blocking connection and the answers to it, read while it is sent.
#pragma once

#include "processor/base/result.h"
#include "processor/pg/connection.h"
#include "processor/pg/deadline.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pg {

/// Sends and collects; decides nothing. Reading goes on while sending does, so that two full
/// buffers never wait for each other.
class Exchange
{
public:
    enum class Ended { Complete, TimedOut, Lost };

    explicit Exchange(pg_conn* raw) : m_raw{raw} {}

    /// Queues all queries and one Sync in pipeline mode; sends what the socket takes. False when
    /// libpq refuses; `queued` then tells how many it had taken before.
    bool start(const std::vector<Query>& queries);
    /// Queues a script by the simple protocol.
    bool start(const std::string& script);
    [[nodiscard]] std::size_t queued() const { return m_queued; }

    /// Works until the answer is complete, the deadline passes or the connection is lost. May be
    /// called again after TimedOut.
    Ended finish(Deadline deadline);

    struct Failure
    {
        std::size_t index; // of the query it belongs to
        base::Error error; // kind, code and constraint by what the server said
    };
    /// The first error the server itself reported, if any.
    [[nodiscard]] const std::optional<Failure>& failure() const { return m_failure; }

    /// The answers, one per query; only after Complete without failure.
    std::vector<Rows> takeRows() { return std::move(m_rows); }

private:
    bool queue(const Query& query);
    [[nodiscard]] bool waitForMore(short events, Deadline deadline) const;
    void collect();
    void take(std::unique_ptr<pg_result, ClearResult> result);

    pg_conn* m_raw;
    bool m_pipelined = false;
    bool m_complete = false;
    bool m_lost = false;
    std::size_t m_queued = 0;
    std::size_t m_current = 0; // index of the query whose results arrive
    std::vector<const char*> m_names;
    std::vector<Rows> m_rows;
    std::optional<Failure> m_failure;
};

} // namespace pg
