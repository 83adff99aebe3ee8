// Cancellation: asks the server to cancel what a connection runs, without ever blocking for long.
#pragma once

#include "processor/pg/deadline.h"

#include <memory>

struct pg_conn;

namespace pg {

/// libpq 15 has only the blocking PQcancel: a connect and a read without any timeout. So it runs on
/// a thread of its own that owns all it touches; we wait for that thread at most until a deadline
/// and then leave it behind. A server that answers no cancel requests at all can hold at most
/// kCancelsAtOnce such threads; beyond that no request is sent and the connection is closed.
class Cancellation
{
public:
    explicit Cancellation(pg_conn* raw);

    /// True if the server took the request by the deadline: from then on it cannot hit a later
    /// statement of the same connection. False means the connection must be closed.
    [[nodiscard]] bool deliveredBy(Deadline deadline);

private:
    struct Request;
    std::shared_ptr<Request> m_request;
};

inline constexpr int kCancelsAtOnce = 8;

} // namespace pg
