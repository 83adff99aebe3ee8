#include "processor/ingest/counters.h"

#include <string>

namespace ingest {
namespace {

constexpr const char* kTotal = "countersign_intake_total";
constexpr const char* kTotalHelp = "Requests to intake by what became of them";

} // namespace

Counters::Counters(base::Metrics& metrics)
    : commitSeconds{metrics.histogram("countersign_intake_commit_seconds",
        "From the start of a gathering's transaction to its commit", base::Buckets::Seconds)}
    , gathering{metrics.histogram("countersign_intake_gathering_size",
          "Deliveries written by one transaction", base::Buckets::Counts)}
    , queueDepth{metrics.gauge(
          "countersign_intake_queue_depth", "Deliveries that wait for the next transaction")}
{
    for (const ReasonRow& row : kReasons) {
        m_reasons.push_back(
            metrics.counter(kTotal, kTotalHelp, {{"result", std::string{row.code}}}));
    }
    for (const Verdict verdict : {Verdict::Accepted, Verdict::Duplicate}) {
        m_verdicts.push_back(
            metrics.counter(kTotal, kTotalHelp, {{"result", std::string{textOf(verdict)}}}));
    }
}

} // namespace ingest
