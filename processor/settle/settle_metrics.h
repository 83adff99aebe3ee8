// SettleMetrics: the counters of settlement, names kept for dashboards and rules.
#pragma once

#include "processor/base/metrics.h"
#include "processor/settle/report.h"

#include <chrono>

namespace settle {

class SettleMetrics
{
public:
    explicit SettleMetrics(base::Metrics& metrics);
    void observe(const Report& report, std::chrono::nanoseconds duration);

private:
    base::Counter m_confirmed;
    base::Counter m_refused;
    base::Counter m_failed;
    base::Counter m_retried;
    base::Counter m_deferred;
    base::Counter m_roundTrips;
    base::Histogram m_events;
    base::Histogram m_seconds;
};

} // namespace settle
