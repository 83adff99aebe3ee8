#include "processor/settle/settler.h"

#include "processor/base/log.h"
#include "processor/settle/outcomes.h"

#include <algorithm>
#include <utility>

namespace settle {
namespace {

using namespace std::chrono_literals;
using domain::Ending;
using domain::Failure;

constexpr std::chrono::milliseconds kDeferPause = 100ms; // of an account held by somebody else …
constexpr std::size_t kDeferStep = 250; // … and as much again for so many that are aside already
constexpr std::chrono::milliseconds kLetPassPause = 2s; // as long as it kept the others waiting
constexpr std::chrono::milliseconds kLeftAlonePause = 5s; // of a type that a newer version knows
constexpr std::chrono::milliseconds kPagePause = 10s; // of what only people can mend
constexpr const char* kNumericOverflow = "22003";
constexpr std::chrono::milliseconds kBackOffMost = 2s;
constexpr std::chrono::milliseconds kBlockedAgain = 10s; // later it is another lock

} // namespace

Settler::Settler(SettlerParts parts)
    : m_parts{std::move(parts)}
    , m_reader{m_parts.version}
    , m_writer{m_parts.log}
    , m_lone{m_reader, m_writer, m_parts.onLetterRefused}
    , m_metrics{m_parts.metrics}
    , m_size{m_parts.batchMost}
    , m_laneStart{m_parts.laneStart}
    , m_carefulAsked{m_parts.careful}
{
    CHECK(m_parts.batchMost <= static_cast<int>(base::kSettleBatchMax)); // the LIMIT in the SQL
    CHECK(m_parts.liveSettlers);
}

base::Status Settler::connect()
{
    if (!m_connection) {
        auto opened = pg::Connection::open(m_parts.database);
        if (!opened) return opened.error();
        m_connection.emplace(std::move(*opened));
    }
    // One that is not clean is never used again.
    if (m_connection->isOpen() && !m_connection->isIdle()) m_connection->close();
    if (!m_connection->isOpen()) return m_connection->reopen();
    return base::Done{};
}

Selection Settler::nextSelection()
{
    const int settlers = std::clamp(m_parts.liveSettlers(), 1, domain::kLaneCount);
    Selection selection;
    selection.lanes = (domain::kLaneCount + settlers - 1) / settlers;
    selection.laneStart = m_laneStart;
    m_laneStart = (m_laneStart + selection.lanes) % domain::kLaneCount;
    selection.most = m_size.now();
    selection.aside = m_aside.active(Clock::now());
    return selection;
}

Report Settler::runOnce()
{
    const auto start = Clock::now();
    Report report;
    if (const auto connected = connect(); !connected) {
        report.isAway = true;
        report.error = connected.error();
    } else if (m_openTry && !endTry(*m_openTry)) {
        report.isAway = true;
    } else {
        if (m_carefulAsked.exchange(false)) beginCare(report);
        if (!report.isAway)
            report = m_carefulLeft > 0 ? settleCarefully() : settleNext(nextSelection());
    }
    m_failuresInRow = report.isAway ? m_failuresInRow + 1 : 0;
    m_metrics.observe(report, Clock::now() - start);
    return report;
}

Report Settler::settleNext(const Selection& selection)
{
    Report report;
    const Round round = settleBatch(selection, report);
    if (round.convict) {
        convict(*round.convict, report);
    } else if (round.error) {
        failed(round, report);
    } else {
        settled(round, report);
    }
    return report;
}

Settler::Round Settler::settleBatch(const Selection& selection, Report& report)
{
    Round round;
    round.lanes = selection.lanes;
    pg::Transaction transaction{*m_connection, {base::kStatementTimeout, base::kLockTimeout}};
    const auto failedIn = [&](Stage stage, const base::Error& error) {
        round.stage = stage;
        round.error = error;
        report.error = error;
        report.roundTrips = transaction.roundTrips();
    };
    auto reading = m_reader.read(transaction, selection);
    if (!reading) {
        failedIn(Stage::Read, reading.error());
        return round;
    }
    round.reading = std::move(*reading);
    if (round.convict = convictIn(round.reading); round.convict) {
        round.reading = {}; // rolled back
        return round;
    }
    if (isSuspicious(round.reading, selection)) {
        report.progressed = true; // its turn comes next, alone: rolled back
        round.reading = {};
        return round;
    }
    round.decision = domain::decide(round.reading.batch);
    report.roundTrips = transaction.roundTrips();
    if (decidedEvents(round.decision).empty()) return round; // nothing to write: rolled back

    const auto letters = lettersOf(round.reading, round.decision);
    const auto written = m_writer.write(transaction, round.reading, round.decision, letters);
    if (!written) {
        failedIn(Stage::Write, written.error());
        return round;
    }
    const auto done = m_writer.commit(transaction, round.reading, round.decision);
    if (!done) {
        failedIn(Stage::Commit, done.error());
        return round;
    }
    report.roundTrips = transaction.roundTrips();
    return round;
}

void Settler::settled(const Round& round, Report& report)
{
    countOutcomes(round.decision, report);
    m_size.succeeded();
    const bool isNewAside = putAside(round);
    const auto numbers = decidedEvents(round.decision);
    if (!numbers.empty()) {
        report.progressed = true;
        if (m_parts.onSettled) m_parts.onSettled(numbers);
    }
    judgeOneByOne(round.reading, report);
    // Behind those just put aside there may be others that can go on.
    if (isNewAside || mayFindMore(round.reading.isEmpty(), round.lanes)) report.progressed = true;
}

// Nothing in our share of the lanes: one turn through all of them before we call it a day.
bool Settler::mayFindMore(bool isEmpty, int lanes)
{
    m_emptyLanes = isEmpty ? m_emptyLanes + lanes : 0;
    if (m_emptyLanes < domain::kLaneCount) return isEmpty;
    m_emptyLanes = 0;
    return false;
}

bool Settler::putAside(const Round& round)
{
    const auto now = Clock::now();
    // Long enough to walk past all of them: the first must not be back before the last is read.
    const std::chrono::milliseconds deferPause
        = kDeferPause * static_cast<int>(1 + m_aside.size() / kDeferStep);
    bool isNew = false;
    for (std::size_t i = 0; i < round.decision.outcomes.size(); ++i) {
        const Ending ending = round.decision.outcomes[i].ending;
        if (ending != Ending::Deferred && ending != Ending::LeftAlone) continue;
        const auto pause = ending == Ending::Deferred ? deferPause : kLeftAlonePause;
        const auto& account = round.reading.batch.candidates[i].event.account();
        isNew |= m_aside.add(account, now + pause);
    }
    return isNew;
}

// One that stood alone and can neither go on nor end lets the other accounts pass.
void Settler::putCulpritAside(const Round& round, std::chrono::milliseconds pause)
{
    if (decidedEvents(round.decision).size() != 1) return;
    for (std::size_t i = 0; i < round.decision.outcomes.size(); ++i) {
        if (!isDecided(round.decision.outcomes[i])) continue;
        const auto& account = round.reading.batch.candidates[i].event.account();
        m_aside.add(account, Clock::now() + pause);
    }
}

void Settler::judgeOneByOne(const Reading& reading, Report& report)
{
    for (const Work& orphan : reading.orphans) {
        const auto judged = judgeOrphan(*m_connection, orphan, m_parts.alerter);
        if (!judged) return;
    }
    for (const Work& work : reading.contradictions) {
        failedAlone(work,
            {base::ErrorKind::Invalid,
                "settle_contradictions: state and outcome exclude each other", kContradictionCode},
            report);
    }
    for (const domain::EventNo no : reading.overdueUnknown) {
        const auto work = std::find_if(reading.work.begin(), reading.work.end(),
            [&](const Work& one) { return one.no == no; });
        CHECK(work != reading.work.end());
        conclude(m_lone.fail(*m_connection, *work, Failure::UnknownEventType), *work, report);
    }
}

void Settler::failed(const Round& round, Report& report)
{
    const auto decided = decidedEvents(round.decision);
    const int events = static_cast<int>(decided.size());
    putAside(round);
    switch (remedyOf(*round.error, round.stage, events)) {
    case Remedy::RunAgain:
        report.progressed = true;
        if (round.error->kind == base::ErrorKind::Conflict) sayBlocked(*round.error);
        break;
    case Remedy::Wait:
        report.isAway = true;
        break;
    case Remedy::Halve:
        m_size.failed(events);
        report.progressed = true;
        break;
    case Remedy::LetPass:
        putCulpritAside(round, kLetPassPause);
        report.progressed = true;
        sayBlocked(*round.error);
        break;
    case Remedy::Count: {
        const auto work = std::find_if(round.reading.work.begin(), round.reading.work.end(),
            [&](const Work& one) { return one.no == decided.front(); });
        CHECK(work != round.reading.work.end());
        failedAlone(*work, *round.error, report);
        // Neither retried nor failed (its letter is refused, say), it would stand in front for
        // ever.
        if (!report.progressed) putCulpritAside(round, kPagePause);
        break;
    }
    case Remedy::Page:
        putCulpritAside(round, kPagePause);
        page(*round.error, report);
        break;
    }
}

void Settler::failedAlone(const Work& work, const base::Error& error, Report& report)
{
    if (isCollision(error)) {
        const auto inLine = m_lone.bringInLine(*m_connection, work);
        if (!inLine || inLine->ending == LoneEnding::BroughtInLine) {
            conclude(inLine, work, report);
            return;
        }
        if (error.constraint == kJournalSourceKey) {
            m_parts.alerter.raise(base::AlertLevel::Critical, "journal_duplicate",
                "the journal has the source of event number " + std::to_string(work.no.value())
                    + " already, but no outcome says so");
        }
    }
    // Accounts were judged before they were written, so it is the merchant's sum that has no room.
    if (error.code == kNumericOverflow) {
        conclude(m_lone.fail(*m_connection, work, Failure::BalanceOverflow, error), work, report);
        return;
    }
    conclude(m_lone.countAttempt(*m_connection, work, error), work, report);
}

void Settler::conclude(const base::Result<LoneResult>& result, const Work& work, Report& report)
{
    if (!result) {
        report.error = result.error();
        report.isAway = result.error().kind == base::ErrorKind::Unavailable;
        base::logError("event could neither be retried nor failed",
            {{"event_no", work.no.value()}, {"error", result.error().message}});
        return;
    }
    if (result->ending == LoneEnding::NotHere) return;
    const base::TraceScope trace{result->event->traceId};
    report.progressed = true;
    switch (result->ending) {
    case LoneEnding::NotHere:
        return;
    case LoneEnding::PutOff:
        ++report.putOff;
        base::logWarning("event waits for its next attempt",
            {{"event_no", work.no.value()}, {"attempt", std::int64_t{result->attempt}},
                {"error", report.error ? report.error->message : ""}});
        break;
    case LoneEnding::Failed:
        ++report.failed;
        base::logError("event failed",
            {{"event_no", work.no.value()},
                {"failure", std::string{domain::toText(*result->failure)}}});
        if (*result->failure == Failure::Exhausted || *result->failure == Failure::Poison) {
            m_parts.alerter.raise(base::AlertLevel::Warning, "recovery_exhausted",
                "event " + result->event->eventId + " failed after "
                    + std::to_string(result->attempt) + " attempts");
        }
        break;
    case LoneEnding::BroughtInLine:
        ++report.broughtInLine;
        break;
    }
    if (m_parts.onSettled) m_parts.onSettled(std::span{&work.no, 1});
}

// Somebody holds what batches need. They may be right to, so nothing is counted or given up. Other
// lanes may go on all the while, so a batch that succeeds says nothing about this one.
void Settler::sayBlocked(const base::Error& error)
{
    const auto now = Clock::now();
    if (!m_blockedSince || now - m_blockedLast > kBlockedAgain) m_blockedSince = now;
    m_blockedLast = now;
    if (now - *m_blockedSince < m_parts.sayBlockedAfter) return;
    base::logWarning("settlement waits for locks", {{"error", error.message}});
    m_parts.alerter.raise(base::AlertLevel::Warning, "settlement_blocked",
        "batches meet a lock that does not come free: " + error.message);
}

void Settler::page(const base::Error& error, Report& report)
{
    report.isAway = true;
    m_parts.alerter.raise(base::AlertLevel::Critical, "settlement_broken",
        "settlement cannot go on: " + error.message);
}

std::chrono::nanoseconds Settler::pause(const Report& report)
{
    if (report.isAway) {
        const int doublings = std::min(m_failuresInRow, 5);
        return std::min<std::chrono::nanoseconds>(kBackOffMost, 50ms * (1 << doublings));
    }
    const auto next = m_aside.nextEnd();
    if (!next) return m_parts.pollEvery;
    return std::clamp<std::chrono::nanoseconds>(*next - Clock::now(), 1ms, m_parts.pollEvery);
}

void Settler::run(const std::stop_token& stop, base::Pulse* pulse)
{
    base::Wakeup never; // a back-off is not shortened by work that has to wait with us
    while (!stop.stop_requested()) {
        const Report report = runOnce();
        if (pulse != nullptr) pulse->beat();
        if (report.progressed && !report.isAway) continue;
        if (report.isAway && report.error) {
            base::logWarning("settlement waits for PostgreSQL", {{"error", report.error->message}});
        }
        auto& wakeup = report.isAway ? never : m_parts.wakeup;
        static_cast<void>(wakeup.waitFor(pause(report), stop));
    }
}

} // namespace settle
