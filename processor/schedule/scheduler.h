// Scheduler: runs jobs when they are due, each by one instance at a time.
#pragma once

#include "processor/base/alert.h"
#include "processor/base/limits.h"
#include "processor/base/metrics.h"
#include "processor/base/progress.h"
#include "processor/schedule/job.h"
#include "processor/store/own_connection.h"

#include <chrono>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace schedule {

struct SchedulerOptions
{
    pg::ConnectOptions database;
    std::string timezone = "UTC"; // of daily times, a name PostgreSQL knows
    std::chrono::milliseconds pollEvery = base::kJobPoll;
    bool setsTimes = true; // false: a job that is there keeps its times (command line)
};

/// One thread's. Any number of schedulers, here and elsewhere, may have the same jobs.
class Scheduler
{
public:
    Scheduler(SchedulerOptions options, std::vector<Job> jobs, base::Alerter& alerter,
        base::Metrics& metrics);

    /// Runs one job that is due; false when there is none. What the job itself fails with is an
    /// alert (job_failed:<name>) and stands in its row; an error here is the database's, and after
    /// it some jobs are due at once.
    base::Result<bool> runOnce(const std::stop_token& stop, base::Pulse* pulse = nullptr);

    /// Runs the job now, due or not, and hands on its answer. Conflict while another is at it.
    Said runNow(std::string_view name, const std::stop_token& stop);

    /// Makes the job due.
    base::Status ask(std::string_view name);

    /// Until stopped.
    void run(const std::stop_token& stop, base::Pulse& pulse);

private:
    struct Turn
    {
        const Job& job;
        pg::Connection& connection;
        base::Pulse* pulse;
    };

    base::Result<pg::Connection*> connect();
    base::Status enterJobs(pg::Connection& connection);
    [[nodiscard]] const Job& find(std::string_view name) const;
    base::Result<bool> runDue(
        pg::Connection& connection, const std::stop_token& stop, base::Pulse* pulse);
    Said runTurn(const Turn& turn, pg::Transaction& claim, const std::stop_token& stop);
    Said runShort(const Turn& turn, const ShortWork& work, pg::Transaction& transaction);
    Said runLeased(const Turn& turn, const LeasedWork& work, pg::Transaction& claim,
        const std::stop_token& stop);
    base::Status noteShortFailure(const Turn& turn, const base::Error& error);
    void judge(const Job& job, const Said& said, std::chrono::nanoseconds took);
    base::Status askAfterOutage();

    const SchedulerOptions m_options;
    const std::vector<Job> m_jobs;
    std::vector<std::string> m_names;
    base::Alerter& m_alerter;
    base::Metrics& m_metrics;
    store::OwnConnection m_database;
    bool m_isEntered = false; // the table has our jobs, as we want them
    bool m_wasAway = false;
};

} // namespace schedule
