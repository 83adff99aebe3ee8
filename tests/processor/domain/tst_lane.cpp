#include "processor/domain/lane.h"

#include "tests/support/ends_process.h"

#include <QTest>

#include <limits>

using domain::Lane;
using domain::laneOf;
using domain::UserId;

class TestLane : public QObject
{
    Q_OBJECT

private slots:
    void aUserHasOneLaneForEver()
    {
        QCOMPARE(domain::kLaneCount, 64);
        QCOMPARE(laneOf(UserId{1}), Lane{1});
        QCOMPARE(laneOf(UserId{63}), Lane{63});
        QCOMPARE(laneOf(UserId{64}), Lane{0});
        QCOMPARE(laneOf(UserId{65}), Lane{1});
        QCOMPARE(laneOf(UserId{std::numeric_limits<std::int64_t>::max()}), Lane{63});
    }

    void idsThatNoUserHasEndTheProcess()
    {
        QVERIFY(support::endsProcess([] { (void)laneOf(UserId{0}); }));
        QVERIFY(support::endsProcess([] { (void)laneOf(UserId{-1}); }));
    }
};

QTEST_APPLESS_MAIN(TestLane)

#include "tst_lane.moc"
