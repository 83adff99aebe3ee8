// PaymentLog: appends to the log, whose numbers are given in commit order without gaps.
#pragma once

#include "processor/pg/transaction.h"

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace store {

/// One line of the log; carries all the stream needs, so that nothing is joined when it is relayed.
struct LogEntry
{
    std::int64_t eventNo = 0;
    std::string kind; // payment.enqueued, payment.confirmed, …
    std::string traceId;
    std::string paymentId; // the provider's event id
    std::string eventType;
    std::int64_t userId = 0;
    std::optional<std::string> merchantId = {};
    std::string asset;
    std::string amount; // decimal text
    std::optional<std::string> detail = {}; // a JSON object
};

/// Shared by the threads of one process; thread-safe.
class PaymentLog
{
public:
    /// `actor` names the process in each line.
    explicit PaymentLog(std::string actor) : m_actor{std::move(actor)} {}

    /// Queues the tail lock and the append as the last statements of `transaction`, which must be
    /// committed next: the tail is held over the commit's flush, and everybody waits for it.
    /// Call at most once per transaction, with at least one entry.
    void appendTo(pg::Transaction& transaction, std::span<const LogEntry> entries) const;

    /// Takes the append's rows (the last of commit()'s) and remembers the highest number.
    /// Returns it. CHECKs that as many lines were written as were given.
    std::int64_t committed(const pg::Rows& appended, std::size_t entries);

    [[nodiscard]] std::int64_t lastKnown() const { return m_lastKnown.load(); }

private:
    std::string m_actor;
    std::atomic<std::int64_t> m_lastKnown{0};
};

} // namespace store
