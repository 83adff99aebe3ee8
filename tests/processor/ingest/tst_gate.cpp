#include "processor/ingest/gate.h"

#include <QTest>

using namespace std::chrono_literals;
using ingest::Gate;

class TestGate : public QObject
{
    Q_OBJECT

    base::Alerter m_alerter;
    base::Metrics m_metrics;

    static bool isOpen(const Gate& gate, Gate::Clock::time_point now) { return !gate.refusal(now); }

private slots:
    void closesAboveTheBacklogAndOpensBelowNineTenths_data()
    {
        QTest::addColumn<QList<int>>("backlog"); // in this order
        QTest::addColumn<bool>("open");

        QTest::newRow("nothing") << QList<int>{0} << true;
        QTest::newRow("at the limit") << QList<int>{100} << true;
        QTest::newRow("one above") << QList<int>{101} << false;
        QTest::newRow("one above, then just below") << QList<int>{101, 99} << false;
        QTest::newRow("one above, then nine tenths") << QList<int>{101, 90} << true;
        QTest::newRow("opened, then at the limit again") << QList<int>{101, 90, 100} << true;
        QTest::newRow("above, then nobody knows") << QList<int>{101, -1} << true;
    }
    void closesAboveTheBacklogAndOpensBelowNineTenths()
    {
        QFETCH(QList<int>, backlog);
        QFETCH(bool, open);
        Gate gate{{.backlogMax = 100, .commitMax = 0ms}, m_alerter, m_metrics};

        for (const int rows : backlog) {
            gate.noteBacklog(rows < 0 ? std::nullopt : std::optional<std::int64_t>{rows});
        }

        QCOMPARE(isOpen(gate, {}), open);
    }

    void refusesWithAReasonThatMayHeal()
    {
        Gate gate{{.backlogMax = 1, .commitMax = 0ms}, m_alerter, m_metrics};
        gate.noteBacklog(2);
        QVERIFY(gate.refusal()->reason == ingest::Reason::Unavailable);
    }

    void aSlowCommitClosesForAMoment()
    {
        Gate gate{{.backlogMax = 0, .commitMax = 100ms}, m_alerter, m_metrics};
        const auto now = Gate::Clock::now();
        gate.noteCommit(100ms, true, now);
        QVERIFY(isOpen(gate, now));

        gate.noteCommit(101ms, true, now);

        QVERIFY(!isOpen(gate, now));
        QVERIFY(!isOpen(gate, now + base::kGateHoldFirst - 1ms));
        QVERIFY(isOpen(gate, now + base::kGateHoldFirst));
    }

    void slowCommitsInARowCloseForLonger()
    {
        Gate gate{{.backlogMax = 0, .commitMax = 100ms}, m_alerter, m_metrics};
        auto now = Gate::Clock::now();
        for (const auto hold : {1s, 2s, 4s, 8s, 15s, 15s}) {
            gate.noteCommit(1s, false, now);
            QVERIFY(!isOpen(gate, now + hold - 1ms));
            QVERIFY(isOpen(gate, now + hold));
            now += hold;
        }

        gate.noteCommit(1ms, true, now); // well again

        gate.noteCommit(1s, true, now);
        QVERIFY(isOpen(gate, now + 1s));
    }

    void aFailureThatIsQuickSaysNothing()
    {
        Gate gate{{.backlogMax = 0, .commitMax = 100ms}, m_alerter, m_metrics};
        auto now = Gate::Clock::now();
        gate.noteCommit(1s, false, now);
        gate.noteCommit(1ms, false, now + 1s); // refused connection
        gate.noteCommit(1s, false, now + 1s);
        QVERIFY(!isOpen(gate, now + 3s - 1ms)); // the second hold
    }

    void withoutLimitsItIsAlwaysOpen()
    {
        Gate gate{{}, m_alerter, m_metrics};
        gate.noteBacklog(1'000'000'000);
        gate.noteCommit(1h, false);
        QVERIFY(!gate.refusal());
    }
};

QTEST_APPLESS_MAIN(TestGate)
#include "tst_gate.moc"
