#include "processor/daemon/jobs.h"

#include "processor/store/instances.h"
#include "processor/store/partitions.h"

#include <chrono>
#include <utility>

namespace processor {
namespace {

using namespace std::chrono_literals;
using base::ErrorKind;

constexpr auto kLettersCheck = 60s;

// Redis is never the truth: without it there is nothing to do here, and others tell of it.
schedule::Said redisIsAway(const base::Error& error)
{
    if (error.kind != ErrorKind::Unavailable) return error;
    return "nothing, without Redis: " + error.message;
}

schedule::Said makePartitions(pg::Transaction& transaction)
{
    const auto made = store::makePartitions(transaction);
    if (!made) return made.error();
    return *made == 0 ? std::string{} : "partitions made " + std::to_string(*made);
}

} // namespace

schedule::Job drainJob(
    watch::LetterDrain& drain, std::chrono::minutes dailyAt, watch::DrainReport* report)
{
    const auto work
        = [&drain, report](store::JobLease& lease, const std::stop_token& stop) -> schedule::Said {
        const auto drained = drain.run(lease, stop);
        if (!drained) return drained.error();
        if (report != nullptr) *report = *drained;
        if (drained->failed == 0) return drained->text();
        return base::Error{ErrorKind::Conflict, drained->text()};
    };
    return {.name = kDrainJob,
        .time = {.dailyAt = dailyAt},
        .work = schedule::LeasedWork{work},
        .isDueAfterOutage = true};
}

Jobs::Jobs(const config::Settings& settings, JobParts parts, store::PaymentLog& log,
    base::Alerter& alerter, base::Metrics& metrics)
    : m_recovery{{.onWork = std::move(parts.onWork)}, log, alerter, metrics}
    , m_drain{{.url = parts.redisUrl}, parts.webhookSecret, log, alerter, metrics}
    , m_janitor{{.url = parts.streamsUrl}}
    , m_copies{metrics.gauge("countersign_letter_copies_waiting",
          "Copies of dead letters in Redis, as last counted by this process.")}
    , m_scheduler{{.database = std::move(parts.database), .timezone = settings.watch.timezone},
          list(settings), alerter, metrics}
{}

std::vector<schedule::Job> Jobs::list(const config::Settings& settings)
{
    using schedule::LeasedWork;
    using Stop = const std::stop_token&;
    const auto recover = [this](store::JobLease& lease, Stop) -> schedule::Said {
        const auto recovered = m_recovery.run(lease);
        if (!recovered) return recovered.error();
        return recovered->text();
    };
    const auto check = [this](store::JobLease&, Stop) { return checkLetters(); };
    const auto clean = [this](store::JobLease& lease, Stop) { return sweep(lease); };
    return {{.name = "recovery",
                .time = {.every = settings.dispatch.recovery},
                .work = LeasedWork{recover}},
        {.name = "dlq_check", .time = {.every = kLettersCheck}, .work = LeasedWork{check}},
        drainJob(m_drain, settings.watch.drainAt),
        {.name = "janitor", .time = {.every = settings.watch.janitor}, .work = LeasedWork{clean}},
        {.name = "partitions",
            .time = {.every = settings.watch.partitions},
            .work = schedule::ShortWork{&makePartitions}}};
}

schedule::Said Jobs::checkLetters()
{
    const auto count = m_drain.count();
    if (!count) return redisIsAway(count.error());
    m_copies.set(*count);
    if (*count == 0) return std::string{};
    if (const auto asked = m_scheduler.ask(kDrainJob); !asked) return asked.error();
    return "letters in Redis " + std::to_string(*count);
}

schedule::Said Jobs::sweep(store::JobLease& lease)
{
    if (const auto forgotten = store::forgetInstances(lease.connection()); !forgotten) {
        return forgotten.error();
    }
    const auto live = store::instancesHeardOf(lease.connection(), base::kConsumerDead);
    if (!live) return live.error();
    const auto swept = m_janitor.sweep(*live);
    if (!swept) return redisIsAway(swept.error());
    return swept->text();
}

} // namespace processor
