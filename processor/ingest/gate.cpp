#include "processor/ingest/gate.h"

#include "processor/base/limits.h"
#include "processor/base/log.h"

#include <algorithm>
#include <string>

namespace ingest {
namespace {

constexpr const char* kMetric = "countersign_intake_closed";
constexpr const char* kMetricHelp = "1 while intake asks to come back later, by reason.";
constexpr const char* kAlert = "intake_backpressure";

} // namespace

Gate::Gate(GateLimits limits, base::Alerter& alerter, base::Metrics& metrics)
    : m_limits{limits}
    , m_alerter{alerter}
    , m_backlogClosed{metrics.gauge(kMetric, kMetricHelp, {{"reason", "backlog"}})}
    , m_latencyClosed{metrics.gauge(kMetric, kMetricHelp, {{"reason", "latency"}})}
    , m_hold{base::kGateHoldFirst}
{}

std::optional<Refused> Gate::refusal(Clock::time_point now) const
{
    if (m_hasBacklog.load(std::memory_order_relaxed)) {
        return Refused{Reason::Unavailable, "more work waits than can be settled soon"};
    }
    if (now.time_since_epoch().count() < m_closedUntil.load(std::memory_order_relaxed)) {
        return Refused{Reason::Unavailable, "the database answers too slowly"};
    }
    return std::nullopt;
}

void Gate::noteBacklog(std::optional<std::int64_t> rows)
{
    const bool wasClosed = m_hasBacklog.load();
    const bool hasLimit = m_limits.backlogMax > 0 && rows.has_value();
    const std::int64_t limit
        = wasClosed ? m_limits.backlogMax - m_limits.backlogMax / 10 : m_limits.backlogMax;
    const bool isClosed = hasLimit && *rows > limit;
    if (isClosed == wasClosed) return;
    m_hasBacklog.store(isClosed);
    m_backlogClosed.set(isClosed ? 1 : 0);
    if (isClosed) {
        m_alerter.raise(base::AlertLevel::Warning, kAlert,
            "intake answers 503: more than " + std::to_string(m_limits.backlogMax)
                + " events wait to be settled");
    } else {
        base::logInfo("intake is open again");
    }
}

void Gate::noteCommit(std::chrono::nanoseconds took, bool isGood, Clock::time_point now)
{
    if (m_limits.commitMax.count() == 0) return;
    if (took <= m_limits.commitMax) {
        if (!isGood) return;
        m_hold = base::kGateHoldFirst;
        m_latencyClosed.set(0);
        return;
    }
    const auto until = now + std::chrono::duration_cast<Clock::duration>(m_hold);
    m_closedUntil.store(until.time_since_epoch().count());
    m_hold = std::min<std::chrono::nanoseconds>(m_hold * 2, base::kGateHoldMost);
    m_latencyClosed.set(1);
    m_alerter.raise(base::AlertLevel::Warning, kAlert,
        "intake answers 503: a commit took "
            + std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(took).count())
            + " ms");
}

} // namespace ingest
