#include "processor/domain/event_state.h"
#include "tests/support/ends_process.h"

#include <QTest>

using domain::EventState;
using domain::MoveOutcome;
using domain::Mover;

namespace {

constexpr std::array kAll{EventState::Pending, EventState::Enqueued, EventState::Processing,
    EventState::Confirmed, EventState::Failed};

// Who may go from the row's state to the column's: p = the processor, r = an approved replay.
constexpr std::array<std::string_view, 5> kExpected{
    // pending enqueued processing confirmed failed
    ".p..p", // pending
    "p.ppp", // enqueued
    "...pp", // processing
    ".....", // confirmed
    "r....", // failed
};

bool expected(EventState from, EventState to, Mover mover)
{
    const char who = kExpected[std::size_t(from)][std::size_t(to)];
    return who == (mover == Mover::Processor ? 'p' : 'r');
}

/** Base-system item 26, told once more in its own words. */
MoveOutcome expectedOutcome(EventState current, EventState from, EventState to)
{
    if (current == from) {
        return MoveOutcome::Moved;
    }
    if (current == to) {
        return MoveOutcome::AlreadyThere;
    }
    const bool ended = current == EventState::Confirmed || current == EventState::Failed;
    return ended ? MoveOutcome::AlreadyProcessed : MoveOutcome::Retry;
}

} // namespace

class TestEventState : public QObject
{
    Q_OBJECT

private slots:
    void everyPairIsAsTheRuleSays()
    {
        int legal = 0;
        for (const EventState from : kAll) {
            for (const EventState to : kAll) {
                for (const Mover mover : {Mover::Processor, Mover::ApprovedReplay}) {
                    QVERIFY2(domain::mayMove(from, to, mover) == expected(from, to, mover),
                        qPrintable(QString{"%1 -> %2"}
                                       .arg(domain::toText(from).data())
                                       .arg(domain::toText(to).data())));
                    legal += domain::mayMove(from, to, mover) ? 1 : 0;
                }
            }
        }
        QCOMPARE(legal, int(domain::kMoves.size())); // no row stands twice
    }

    void everyMoveIsJudgedFromEveryState()
    {
        for (const domain::Move& move : domain::kMoves) {
            for (const EventState current : kAll) {
                QCOMPARE(domain::judgeMove(current, move.from, move.to, move.mover),
                    expectedOutcome(current, move.from, move.to));
            }
        }
    }

    void aMoveOutsideTheTableEndsTheProcess()
    {
        QVERIFY(support::endsProcess([] {
            (void)domain::judgeMove(EventState::Confirmed, EventState::Confirmed,
                EventState::Pending, Mover::ApprovedReplay);
        }));
        QVERIFY(support::endsProcess([] {
            (void)domain::judgeMove(
                EventState::Failed, EventState::Failed, EventState::Pending, Mover::Processor);
        }));
    }

    void onlyTheTwoEndsAreTerminal()
    {
        for (const EventState state : kAll) {
            QCOMPARE(domain::isTerminal(state),
                state == EventState::Confirmed || state == EventState::Failed);
        }
    }

    void namesGoBothWays()
    {
        const std::array<std::string_view, 5> names{
            "pending", "enqueued", "processing", "confirmed", "failed"};
        for (std::size_t i = 0; i < kAll.size(); ++i) {
            QCOMPARE(domain::toText(kAll[i]), names[i]);
            QVERIFY(domain::eventStateFromText(names[i]) == kAll[i]);
        }
        QVERIFY(!domain::eventStateFromText("Pending"));
        QVERIFY(!domain::eventStateFromText(""));
    }
};

QTEST_APPLESS_MAIN(TestEventState)

#include "tst_event_state.moc"
