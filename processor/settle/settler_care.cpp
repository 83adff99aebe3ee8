// Careful mode of the Settler: after an unclean end, each event that stood in the queue is tried
// alone, for one of them may have been the cause.

#include "processor/base/log.h"
#include "processor/domain/lane.h"
#include "processor/settle/outcomes.h"
#include "processor/settle/settler.h"
#include "sql/settle.h"

#include <utility>

namespace settle {
namespace {

constexpr int kPoisonTries = 3;
constexpr std::chrono::seconds kConvictPause{10}; // of a letter that only people can mend

} // namespace

// Whoever ended a worker stands in the queue; what comes in from now on did not.
void Settler::beginCare(Report& report)
{
    const auto last = m_connection->run(sql::kSettleQueueLast);
    if (!last) {
        report.error = last.error();
        report.isAway = true;
        m_carefulAsked.store(true);
        return;
    }
    m_carefulUpTo = domain::EventNo{last->bigint(0, 0)};
    m_carefulLeft = static_cast<int>(base::kSettleBatchMax) * 2;
    m_carefulUntil = Clock::now() + base::kLanesFreeWithin;
}

Report Settler::settleCarefully()
{
    Report report;
    const Selection share = nextSelection();
    const auto suspect = beginTry(share, report);
    if (!suspect) {
        const bool isPast = !report.error && !report.progressed;
        // The lanes of the process that died may still be held by its server process.
        if (isPast && Clock::now() >= m_carefulUntil) m_carefulLeft = 0;
        return isPast ? settleNext(share) : report;
    }
    --m_carefulLeft;
    const Work& work = suspect->work;
    if (work.tries >= kPoisonTries) {
        convict(*suspect, report);
        return report;
    }
    Selection selection;
    selection.laneStart = static_cast<int>(domain::laneOf(work.user).value());
    selection.lanes = 1;
    selection.most = 1;
    selection.only = work.no;
    const Round round = settleBatch(selection, report);
    if (round.error) {
        failed(round, report);
    } else {
        settled(round, report);
    }
    // However it ended, it has not ended us.
    if (decidedEvents(round.decision).empty() || round.error) {
        report.isAway |= !endTry(work.no);
    } else {
        m_openTry.reset();
    }
    return report;
}

// Counted before the try begins, for whoever is ended by it counts nothing any more.
std::optional<Settler::Suspect> Settler::beginTry(Selection selection, Report& report)
{
    selection.most = 1;
    pg::Transaction transaction{*m_connection, {base::kStatementTimeout, base::kLockTimeout}};
    const auto reading = m_reader.read(transaction, selection);
    if (!reading) {
        report.error = reading.error();
        report.isAway = true;
        return std::nullopt;
    }
    if (!reading->work.empty() && reading->work.front().no > m_carefulUpTo) {
        transaction.rollback();
        return std::nullopt;
    }
    report.progressed = mayFindMore(reading->isEmpty(), selection.lanes);
    if (reading->work.empty()) {
        transaction.rollback();
        judgeOneByOne(*reading, report);
        return std::nullopt;
    }
    const Suspect suspect{reading->work.front(), reading->batch.candidates.front().event.account()};
    if (suspect.work.tries >= kPoisonTries) return suspect; // no further try: rolled back
    transaction.add(sql::kSettleBeginTry, std::move(pg::Params{}.bigint(suspect.work.no.value())));
    m_openTry = suspect.work.no; // also when the COMMIT is lost: it may have been done
    if (const auto done = transaction.commit(); !done) {
        report.error = done.error();
        report.isAway = done.error().kind == base::ErrorKind::Unavailable;
        return std::nullopt;
    }
    return suspect;
}

// Until it is taken back the try stays open, and nothing else is settled: a count that three
// outages in a row had raised would convict an innocent event.
bool Settler::endTry(domain::EventNo no)
{
    const auto ended
        = m_connection->run(sql::kSettleEndTry, std::move(pg::Params{}.bigint(no.value())));
    if (ended) m_openTry.reset();
    return bool{ended};
}

std::optional<Settler::Suspect> Settler::convictIn(const Reading& reading)
{
    for (std::size_t i = 0; i < reading.work.size(); ++i) {
        if (reading.work[i].tries < kPoisonTries) continue;
        return Suspect{reading.work[i], reading.batch.candidates[i].event.account()};
    }
    return std::nullopt;
}

void Settler::convict(const Suspect& suspect, Report& report)
{
    conclude(
        m_lone.fail(*m_connection, suspect.work, domain::Failure::Poison), suspect.work, report);
    if (report.progressed || report.isAway) return;
    // Its letter is refused or its lane is taken: the other accounts pass meanwhile.
    m_aside.add(suspect.account, Clock::now() + kConvictPause);
    report.progressed = true;
}

// While we are careful, lanes of a dead process become free: what stood in them is tried alone.
bool Settler::isSuspicious(const Reading& reading, const Selection& selection) const
{
    return m_carefulLeft > 0 && !selection.only && !reading.work.empty()
        && reading.work.front().no <= m_carefulUpTo;
}

} // namespace settle
