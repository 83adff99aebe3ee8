// Recovery: work that was left behind – rows of events that have ended, events that have no row.
#pragma once

#include "processor/base/alert.h"
#include "processor/base/limits.h"
#include "processor/base/metrics.h"
#include "processor/store/job_lease.h"
#include "processor/store/payment_log.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace watch {

struct RecoveryReport
{
    std::int64_t removed = 0; // work rows of events that had ended
    std::int64_t putBack = 0; // events that nobody worked on

    [[nodiscard]] std::string text() const; // empty when there was nothing
};

struct RecoveryOptions
{
    std::int64_t recent = base::kRecoveryRecent;
    std::int64_t walk = base::kRecoveryWalk;
    std::function<void()> onWork = {}; // there is something new in the queue
};

/// Neither should ever happen; this is how we would know, and how nothing stays lost. A row that
/// merely waits is left alone however long it waits, and nothing here counts as an attempt.
class Recovery
{
public:
    Recovery(RecoveryOptions options, store::PaymentLog& log, base::Alerter& alerter,
        base::Metrics& metrics);

    /// One run: the queue's front, a page of what waits, the newest events, and a stretch of the
    /// older ones, which goes on where the last run ended (the lease remembers).
    base::Result<RecoveryReport> run(store::JobLease& lease);

private:
    struct Work
    {
        std::int64_t no;
        std::int64_t user;
    };
    struct Bounds
    {
        std::int64_t first;
        std::int64_t last;
    };

    base::Result<std::int64_t> removeFromQueue(store::JobLease& lease);
    base::Result<std::int64_t> removeFromWaits(store::JobLease& lease);
    base::Result<std::int64_t> remove(
        store::JobLease& lease, const pg::Statement& statement, const std::vector<Work>& work);
    base::Result<std::int64_t> putBackBetween(
        store::JobLease& lease, std::int64_t after, std::int64_t upTo, std::int64_t& reached);
    base::Result<std::int64_t> putBack(store::JobLease& lease, const std::vector<Work>& lost);
    base::Result<std::vector<store::LogEntry>> writeWork(
        pg::Transaction& transaction, const std::vector<Work>& lost, std::int64_t& count);
    void tell(const std::vector<Work>& lost, std::int64_t count);

    const RecoveryOptions m_options;
    store::PaymentLog& m_log;
    base::Alerter& m_alerter;
    base::Counter m_removed;
    base::Counter m_putBack;
    std::int64_t m_waitsFrom = 0; // the page of event_waits that is next
};

} // namespace watch
