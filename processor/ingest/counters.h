// Counters: what intake says of itself in /metrics. Public names.
#pragma once

#include "processor/base/metrics.h"
#include "processor/ingest/reason.h"
#include "processor/ingest/verdict.h"

#include <vector>

namespace ingest {

/// Any thread.
class Counters
{
public:
    explicit Counters(base::Metrics& metrics);

    void count(Reason reason) { m_reasons[static_cast<std::size_t>(reason)].add(); }
    void count(Verdict verdict) { m_verdicts[static_cast<std::size_t>(verdict)].add(); }

    base::Histogram commitSeconds;
    base::Histogram gathering;
    base::Gauge queueDepth;

private:
    std::vector<base::Counter> m_reasons;
    std::vector<base::Counter> m_verdicts;
};

} // namespace ingest
