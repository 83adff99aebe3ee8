#include "processor/settle/lone_event.h"

#include "processor/domain/lane.h"
#include "processor/domain/retry_rule.h"
#include "sql/attempts.h"
#include "sql/settle.h"

#include <array>
#include <utility>

namespace settle {
namespace {

using base::Result;
using domain::Decision;
using domain::Ending;
using domain::Failure;

Decision failing(const domain::Candidate& candidate, Failure failure)
{
    const domain::EventNo no = candidate.event.no;
    Decision decision;
    if (candidate.ended) {
        decision.outcomes.push_back({no, Ending::AlreadyEnded});
    } else {
        decision.outcomes.push_back({no, Ending::Failed, failure, true});
        decision.notifications.push_back({no, domain::NotificationKind::Failed});
        decision.log.push_back({no, domain::LogKind::Failed});
    }
    decision.log.push_back({no, domain::LogKind::DeadLettered});
    return decision;
}

// The history of an event that goes on: what its letter would say were this the last attempt.
pg::Params attemptParams(const Letter& told)
{
    pg::Params params;
    params.bigint(told.no.value()).smallint(static_cast<std::int16_t>(told.attempt));
    params.text(told.error).text(told.errorClass).text(told.cause);
    return params;
}

Decision settledBefore(const domain::Event& event, bool success)
{
    const bool isRefund = event.type() == domain::EventType::Refund;
    Decision decision;
    if (success) {
        const auto kind = isRefund ? domain::LogKind::Refunded : domain::LogKind::Confirmed;
        decision.outcomes.push_back({event.no, Ending::Confirmed});
        decision.log.push_back({event.no, kind});
    } else {
        decision.outcomes.push_back({event.no, Ending::Failed, Failure::InsufficientFunds});
        decision.log.push_back({event.no, domain::LogKind::Failed});
    }
    return decision;
}

} // namespace

Failure failureOf(const base::Error& error)
{
    const bool contradicts = isCollision(error) || error.code == kContradictionCode;
    return contradicts ? Failure::StateContradiction : Failure::Exhausted;
}

bool isCollision(const base::Error& error)
{
    return error.code == "23505"
        && (error.constraint == kJournalSourceKey
            || error.constraint.starts_with("processed_events_"));
}

LoneEvent::LoneEvent(BatchReader& reader, BatchWriter& writer, LetterRefused onLetterRefused)
    : m_reader{reader}
    , m_writer{writer}
    , m_refused{std::move(onLetterRefused)}
{}

Result<Reading> LoneEvent::read(pg::Transaction& transaction, const Work& work)
{
    Selection selection;
    selection.laneStart = static_cast<int>(domain::laneOf(work.user).value());
    selection.lanes = 1;
    selection.most = 1;
    selection.only = work.no;
    return m_reader.read(transaction, selection);
}

base::Status LoneEvent::finish(pg::Transaction& transaction, const Reading& reading,
    const Decision& decision, const std::vector<Letter>& letters)
{
    const auto written = m_writer.write(transaction, reading, decision, letters);
    if (!written) return written.error();
    return m_writer.commit(transaction, reading, decision);
}

Result<LoneResult> LoneEvent::countAttempt(
    pg::Connection& connection, const Work& work, const base::Error& error)
{
    pg::Transaction transaction{connection, {base::kStatementTimeout, base::kLockTimeout}};
    const auto reading = read(transaction, work);
    if (!reading) return reading.error();
    if (reading->work.empty()) return LoneResult{};
    const Work& now = reading->work.front();
    const int attempt = now.attempts + 1;
    const auto ceiling = domain::retryCeiling(attempt);
    if (!ceiling) {
        transaction.rollback();
        return fail(connection, work, failureOf(error), error);
    }

    const domain::Event& event = reading->batch.candidates.front().event;
    CountedWrites writes{transaction};
    pg::Params wait;
    wait.bigint(now.no.value()).smallint(static_cast<std::int16_t>(attempt)).text(event.asset);
    wait.integer(static_cast<std::int32_t>(ceiling->count()));
    writes.add(sql::kSettleWaitForRetry, std::move(wait), 1);
    writes.add(sql::kAttemptNote,
        attemptParams(letterOfError(now.no, failureOf(error), error, attempt)), 1);
    const std::array numbers{now.no.value()};
    writes.add(sql::kSettleDeleteWork, std::move(pg::Params{}.bigintArray(numbers)), 1);
    if (const auto written = writes.send(); !written) return written.error();
    if (const auto done = transaction.commit(); !done) return done.error();
    return LoneResult{LoneEnding::PutOff, attempt, std::nullopt, event};
}

Result<LoneResult> LoneEvent::fail(pg::Connection& connection, const Work& work, Failure failure,
    const std::optional<base::Error>& error)
{
    pg::Transaction transaction{connection, {base::kStatementTimeout, base::kLockTimeout}};
    const auto reading = read(transaction, work);
    if (!reading) return reading.error();
    if (reading->work.empty()) return LoneResult{};
    const int attempt = reading->work.front().attempts + 1;
    const domain::Candidate& candidate = reading->batch.candidates.front();
    Letter letter = error ? letterOfError(work.no, failure, *error, attempt)
                          : letterOfFailure(work.no, failure, attempt);
    m_refused.recognise(letter);

    const auto done = finish(transaction, *reading, failing(candidate, failure), {letter});
    if (!done) {
        m_refused.refused(candidate.event, failure, letter, done.error());
        return done.error();
    }
    m_refused.written(work.no);
    return LoneResult{LoneEnding::Failed, attempt, failure, candidate.event};
}

Result<LoneResult> LoneEvent::bringInLine(pg::Connection& connection, const Work& work)
{
    pg::Transaction transaction{connection, {base::kStatementTimeout, base::kLockTimeout}};
    auto reading = read(transaction, work);
    if (!reading) return reading.error();
    if (reading->work.empty() || reading->batch.candidates.front().ended) return LoneResult{};

    const domain::Event& event = reading->batch.candidates.front().event;
    pg::Params params;
    params.bigint(work.no.value()).text(event.eventId).text(event.typeText);
    transaction.add(sql::kSettleFindOutcome, std::move(params));
    const auto found = transaction.send();
    if (!found) return found.error();
    const auto outcome = found->front().textOrNull(0, 0);
    const auto journal = found->front().bigintOrNull(0, 1);
    const bool success = outcome == "success" && journal == work.no.value();
    const bool refused = outcome == "insufficient_funds" && !journal;
    if (!success && !refused) return LoneResult{};

    reading->hasOutcomeRow = true;
    const auto done = finish(transaction, *reading, settledBefore(event, success), {});
    if (!done) return done.error();
    return LoneResult{LoneEnding::BroughtInLine, 0, std::nullopt, event};
}

} // namespace settle
