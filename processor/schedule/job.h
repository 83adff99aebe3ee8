// Job: something that is done again and again, and when.
#pragma once

#include "processor/base/result.h"
#include "processor/pg/transaction.h"
#include "processor/store/job_lease.h"

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>

namespace schedule {

/// What a job says it did, for the log and the table; empty: nothing worth a line.
using Said = base::Result<std::string>;

/// Runs inside the transaction that holds the job's row: a few statements, no other store.
using ShortWork = std::function<Said(pg::Transaction&)>;

/// Has transactions of its own, each of which begins with the lease's check.
using LeasedWork = std::function<Said(store::JobLease&, const std::stop_token&)>;

/// One of the two.
struct JobTime
{
    std::optional<std::chrono::milliseconds> every = {};
    std::optional<std::chrono::minutes> dailyAt = {}; // since midnight, in the schedule's time zone
};

struct Job
{
    std::string name; // public: `jobs`, alerts, metrics
    JobTime time;
    std::variant<ShortWork, LeasedWork> work;
    bool isDueAfterOutage = false; // at once when PostgreSQL is back
};

} // namespace schedule
