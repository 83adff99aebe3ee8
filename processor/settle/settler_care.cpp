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
    const auto work = beginTry(share, report);
    if (!work) {
        const bool isPast = !report.error && !report.progressed;
        // The lanes of the process that died may still be held by its server process.
        if (isPast && Clock::now() >= m_carefulUntil) m_carefulLeft = 0;
        return isPast ? settleNext(share) : report;
    }
    --m_carefulLeft;
    if (work->tries >= kPoisonTries) {
        conclude(m_lone.fail(*m_connection, *work, domain::Failure::Poison), *work, report);
        return report;
    }
    Selection selection;
    selection.laneStart = static_cast<int>(domain::laneOf(work->user).value());
    selection.lanes = 1;
    selection.most = 1;
    selection.only = work->no;
    const Round round = settleBatch(selection, report);
    if (round.error) {
        failed(round, report);
    } else {
        settled(round, report);
    }
    // However it ended, it has not ended us.
    if (decidedEvents(round.decision).empty() || round.error) endTry(work->no);
    return report;
}

std::optional<Work> Settler::beginTry(Selection selection, Report& report)
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
    const Work work = reading->work.front();
    if (work.tries >= kPoisonTries) return work; // no further try: rolled back
    transaction.add(sql::kSettleBeginTry, std::move(pg::Params{}.bigint(work.no.value())));
    if (const auto done = transaction.commit(); !done) {
        report.error = done.error();
        report.isAway = done.error().kind == base::ErrorKind::Unavailable;
        return std::nullopt;
    }
    return work;
}

void Settler::endTry(domain::EventNo no)
{
    // If this fails the event has one try too many against it; two others are needed to convict.
    const auto ended
        = m_connection->run(sql::kSettleEndTry, std::move(pg::Params{}.bigint(no.value())));
    if (!ended) base::logWarning("a try could not be taken back", {{"event_no", no.value()}});
}

// While we are careful, lanes of a dead process become free: what stood in them is tried alone.
bool Settler::isSuspicious(const Reading& reading, const Selection& selection) const
{
    return m_carefulLeft > 0 && !selection.only && !reading.work.empty()
        && reading.work.front().no <= m_carefulUpTo;
}

} // namespace settle
