// Jobs: what a process that watches does by the clock, and when.
#pragma once

#include "processor/base/alert.h"
#include "processor/base/metrics.h"
#include "processor/config/settings.h"
#include "processor/dispatch/consumer_janitor.h"
#include "processor/schedule/scheduler.h"
#include "processor/store/payment_log.h"
#include "processor/watch/letter_drain.h"
#include "processor/watch/recovery.h"

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace processor {

inline constexpr const char* kDrainJob = "dlq_drain";

/// The drain as a job, for the daemon's clock and for the command line; `report` may be null.
[[nodiscard]] schedule::Job drainJob(
    watch::LetterDrain& drain, std::chrono::minutes dailyAt, watch::DrainReport* report = nullptr);

struct JobParts
{
    pg::ConnectOptions database;
    std::string redisUrl; // of the letters' copies
    std::string streamsUrl;
    base::Secret webhookSecret;
    std::function<void()> onWork; // recovery has put something into the queue
};

///     recovery     every 30 s    work that was left behind
///     dlq_check    every minute  are there letters in Redis? then the drain is due
///     dlq_drain    04:00         brings them back; also after an outage of PostgreSQL
///     janitor      every 30 s    consumers and instances that are dead
///     partitions   every minute  the next partitions
class Jobs
{
public:
    Jobs(const config::Settings& settings, JobParts parts, store::PaymentLog& log,
        base::Alerter& alerter, base::Metrics& metrics);

    void run(const std::stop_token& stop, base::Pulse& pulse) { m_scheduler.run(stop, pulse); }

private:
    std::vector<schedule::Job> list(const config::Settings& settings);
    schedule::Said checkLetters();
    schedule::Said sweep(store::JobLease& lease);

    watch::Recovery m_recovery;
    watch::LetterDrain m_drain;
    dispatch::ConsumerJanitor m_janitor;
    base::Gauge m_copies;
    schedule::Scheduler m_scheduler; // last: its jobs use the others
};

} // namespace processor
