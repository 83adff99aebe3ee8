#include "processor/schedule/scheduler.h"

#include "processor/base/log.h"
#include "processor/base/utf8.h"
#include "processor/base/wakeup.h"
#include "sql/jobs.h"

#include <algorithm>
#include <utility>

namespace schedule {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kErrorTextMax = 1'000;

pg::Params registration(const Job& job, const SchedulerOptions& options)
{
    CHECK(job.time.every.has_value() != job.time.dailyAt.has_value());
    const auto count = [](const auto& time) {
        return time ? std::optional{std::int64_t{time->count()}} : std::nullopt;
    };
    pg::Params params;
    params.text(job.name).bigint(count(job.time.every)).bigint(count(job.time.dailyAt));
    params.text(options.timezone).boolean(options.setsTimes);
    return params;
}

pg::Params ending(const std::string& name, const std::optional<std::string>& token,
    const Said& said, std::int64_t walkedTo)
{
    pg::Params params;
    params.text(name).text(token);
    if (said) {
        params.text(std::optional<std::string>{}).text(*said);
    } else {
        params.text(base::cleanText(said.error().message, kErrorTextMax))
            .text(std::optional<std::string>{});
    }
    params.bigint(walkedTo);
    return params;
}

pg::Params beginning(const std::string& name, bool isLeased)
{
    const auto lease
        = isLeased ? std::optional{std::int64_t{base::kJobLease.count()}} : std::nullopt;
    pg::Params params;
    params.text(name).bigint(lease);
    return params;
}

} // namespace

Scheduler::Scheduler(
    SchedulerOptions options, std::vector<Job> jobs, base::Alerter& alerter, base::Metrics& metrics)
    : m_options{std::move(options)}
    , m_jobs{std::move(jobs)}
    , m_alerter{alerter}
    , m_metrics{metrics}
    , m_database{m_options.database}
{
    for (const Job& job : m_jobs) m_names.push_back(job.name);
}

base::Result<pg::Connection*> Scheduler::connect()
{
    auto connection = m_database.get();
    if (!connection) return connection;
    if (!m_isEntered) {
        if (const auto entered = enterJobs(**connection); !entered) return entered.error();
        m_isEntered = true;
    }
    return connection;
}

base::Status Scheduler::enterJobs(pg::Connection& connection)
{
    for (const Job& job : m_jobs) {
        const auto entered = connection.run(sql::kJobRegister, registration(job, m_options));
        if (!entered) return entered.error();
    }
    return base::Done{};
}

const Job& Scheduler::find(std::string_view name) const
{
    const auto job
        = std::ranges::find_if(m_jobs, [&](const Job& known) { return known.name == name; });
    CHECK(job != m_jobs.end());
    return *job;
}

base::Result<bool> Scheduler::runOnce(const std::stop_token& stop, base::Pulse* pulse)
{
    const auto attempt = [&]() -> base::Result<bool> {
        if (m_wasAway) {
            if (const auto asked = askAfterOutage(); !asked) return asked.error();
        }
        const auto connection = connect();
        if (!connection) return connection.error();
        return runDue(**connection, stop, pulse);
    };
    auto ran = attempt();
    m_wasAway = !ran;
    // Whatever happened to the database, it may not be the same one afterwards.
    if (!ran) m_isEntered = false;
    return ran;
}

base::Result<bool> Scheduler::runDue(
    pg::Connection& connection, const std::stop_token& stop, base::Pulse* pulse)
{
    pg::Transaction claim{connection};
    claim.add(sql::kJobClaim, std::move(pg::Params{}.textArray(m_names)));
    const auto claimed = claim.send();
    if (!claimed) return claimed.error();
    if (claimed->front().empty()) return false;
    const Turn turn{find(claimed->front().text(0, 0)), connection, pulse};
    const auto begun = Clock::now();
    const Said said = runTurn(turn, claim, stop);
    judge(turn.job, said, Clock::now() - begun);
    return true;
}

Said Scheduler::runTurn(const Turn& turn, pg::Transaction& claim, const std::stop_token& stop)
{
    if (const auto* work = std::get_if<ShortWork>(&turn.job.work)) {
        return runShort(turn, *work, claim);
    }
    return runLeased(turn, *std::get_if<LeasedWork>(&turn.job.work), claim, stop);
}

Said Scheduler::runShort(const Turn& turn, const ShortWork& work, pg::Transaction& transaction)
{
    transaction.add(sql::kJobBegin, beginning(turn.job.name, false));
    const auto begun = transaction.send();
    Said said = begun ? work(transaction) : Said{begun.error()};
    if (said) {
        transaction.add(sql::kJobEnd, ending(turn.job.name, std::nullopt, said, 0));
        if (const auto done = transaction.commit(); !done) said = done.error();
    }
    if (!said) {
        transaction.rollback();
        if (const auto noted = noteShortFailure(turn, said.error()); !noted) return noted.error();
    }
    return said;
}

// Its transaction is gone with all it did, so a new one has to say so. If another instance has
// taken the job meanwhile, that one will tell how it went.
base::Status Scheduler::noteShortFailure(const Turn& turn, const base::Error& error)
{
    pg::Transaction note{turn.connection};
    note.add(sql::kJobClaim, std::move(pg::Params{}.textArray(std::span{&turn.job.name, 1})));
    const auto claimed = note.send();
    if (!claimed) return claimed.error();
    if (claimed->front().empty()) return base::Done{};
    note.add(sql::kJobBegin, beginning(turn.job.name, false));
    note.add(sql::kJobEnd, ending(turn.job.name, std::nullopt, Said{error}, 0));
    if (const auto done = note.commit(); !done) return done.error();
    return base::Done{};
}

Said Scheduler::runLeased(
    const Turn& turn, const LeasedWork& work, pg::Transaction& claim, const std::stop_token& stop)
{
    claim.add(sql::kJobBegin, beginning(turn.job.name, true));
    const auto begun = claim.commit();
    if (!begun) return begun.error();
    CHECK(begun->front().size() == 1);
    store::JobLease lease{turn.connection, turn.job.name, std::string{begun->front().text(0, 0)},
        begun->front().bigint(0, 1), turn.pulse};
    Said said = work(lease, stop);

    pg::Transaction end{turn.connection};
    end.add(sql::kJobEnd, ending(turn.job.name, lease.token(), said, lease.walkedTo()));
    // If this fails the lease runs out by itself, and the next time is settled already.
    if (const auto ended = end.commit(); !ended && said) return ended.error();
    return said;
}

Said Scheduler::runNow(std::string_view name, const std::stop_token& stop)
{
    const auto connection = connect();
    if (!connection) return connection.error();
    pg::Transaction claim{**connection};
    claim.add(sql::kJobClaimNow, std::move(pg::Params{}.text(name)));
    const auto claimed = claim.send();
    if (!claimed) return claimed.error();
    if (claimed->front().empty()) {
        return base::Error{base::ErrorKind::Conflict, std::string{name} + " is running elsewhere"};
    }
    return runTurn({find(name), **connection, nullptr}, claim, stop);
}

base::Status Scheduler::ask(std::string_view name)
{
    const auto connection = connect();
    if (!connection) return connection.error();
    if (auto asked = (*connection)->run(sql::kJobAsk, pg::Params{}.text(name)); !asked) {
        return asked.error();
    }
    return base::Done{};
}

void Scheduler::judge(const Job& job, const Said& said, std::chrono::nanoseconds took)
{
    m_metrics
        .counter("countersign_job_runs_total", "Runs of a job by this process.",
            {{"job", job.name}, {"result", said ? "ok" : "failed"}})
        .add();
    m_metrics
        .histogram("countersign_job_seconds", "How long a job ran.", base::Buckets::Seconds,
            {{"job", job.name}})
        .observe(took);
    if (!said) {
        m_alerter.raise(base::AlertLevel::Warning, "job_failed:" + job.name,
            "job " + job.name
                + " failed and is tried again at its next time: " + said.error().message);
    } else if (!said->empty()) {
        base::logInfo("job done", {{"job", job.name}, {"did", *said}});
    }
}

base::Status Scheduler::askAfterOutage()
{
    for (const Job& job : m_jobs) {
        if (!job.isDueAfterOutage) continue;
        if (auto asked = ask(job.name); !asked) return asked;
    }
    return base::Done{};
}

void Scheduler::run(const std::stop_token& stop, base::Pulse& pulse)
{
    base::Wakeup never;
    while (!stop.stop_requested()) {
        pulse.beat();
        const bool wasAway = m_wasAway;
        const auto ran = runOnce(stop, &pulse);
        if (!ran && !wasAway) base::logWarning("jobs wait", {{"error", ran.error().message}});
        if (ran && *ran) continue;
        (void)never.waitFor(m_options.pollEvery, stop);
    }
}

} // namespace schedule
