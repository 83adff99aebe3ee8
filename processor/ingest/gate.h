// Gate: whether intake takes requests now, or asks to come back later because work piles up.
#pragma once

#include "processor/base/alert.h"
#include "processor/base/metrics.h"
#include "processor/ingest/reason.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

namespace ingest {

struct GateLimits
{
    std::int64_t backlogMax = 0; // rows; 0: no limit
    std::chrono::milliseconds commitMax{0}; // 0: no limit
};

/// Asked by every request, so it only reads two atomics. Fed by the sampler (backlog) and by the
/// committer (latency). Closes and opens by itself.
class Gate
{
public:
    using Clock = std::chrono::steady_clock;

    Gate(GateLimits limits, base::Alerter& alerter, base::Metrics& metrics);

    /// `unavailable` with its sentence while closed.
    [[nodiscard]] std::optional<Refused> refusal(Clock::time_point now = Clock::now()) const;

    /// Rows that wait to be settled; empty: not known. Closes above the limit, opens at 90 %.
    void noteBacklog(std::optional<std::int64_t> rows);

    /// How long a transaction took that ended well or not. A slow one closes for kGateHoldFirst,
    /// each further one for twice as long, up to kGateHoldMost; then some may try again, and the
    /// first quick commit ends it. One thread.
    void noteCommit(
        std::chrono::nanoseconds took, bool isGood, Clock::time_point now = Clock::now());

    [[nodiscard]] const GateLimits& limits() const { return m_limits; }

private:
    const GateLimits m_limits;
    base::Alerter& m_alerter;
    base::Gauge m_backlogClosed;
    base::Gauge m_latencyClosed;
    std::atomic<bool> m_hasBacklog{false};
    std::atomic<Clock::rep> m_closedUntil{0};
    std::chrono::nanoseconds m_hold; // of the next slow commit
};

} // namespace ingest
