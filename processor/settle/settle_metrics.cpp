#include "processor/settle/settle_metrics.h"

namespace settle {
namespace {

base::Counter settledCounter(base::Metrics& metrics, const char* result)
{
    return metrics.counter("countersign_settled_total",
        "Events by what settlement made of them; retry counts failed attempts",
        {{"result", result}});
}

} // namespace

SettleMetrics::SettleMetrics(base::Metrics& metrics)
    : m_confirmed{settledCounter(metrics, "success")}
    , m_refused{settledCounter(metrics, "insufficient_funds")}
    , m_failed{settledCounter(metrics, "failed")}
    , m_retried{settledCounter(metrics, "retry")}
    , m_deferred{metrics.counter("countersign_settle_deferred_total",
          "Events put off without an attempt: their account was held or waits for an earlier "
          "event")}
    , m_roundTrips{metrics.counter("countersign_settle_round_trips_total",
          "Round trips to PostgreSQL of settlement's batches")}
    , m_events{metrics.histogram(
          "countersign_settle_batch_events", "Events that ended in a batch", base::Buckets::Counts)}
    , m_seconds{metrics.histogram("countersign_settle_batch_seconds",
          "Duration of a batch that ended events", base::Buckets::Seconds)}
{}

void SettleMetrics::observe(const Report& report, std::chrono::nanoseconds duration)
{
    m_confirmed.add(report.confirmed + report.broughtInLine);
    m_refused.add(report.refused);
    m_failed.add(report.failed);
    m_retried.add(report.putOff);
    m_deferred.add(report.deferred);
    m_roundTrips.add(report.roundTrips);
    if (report.ended() == 0) return;
    m_events.observe(std::int64_t{report.ended()});
    m_seconds.observe(duration);
}

} // namespace settle
