// Work that was left behind is found; what merely waits is left alone.

#include "processor/watch/recovery.h"
#include "tests/processor/watch/drain_bench.h"
#include "tests/support/require.h"

#include <QTest>

namespace {

constexpr const char* kAged = "UPDATE payment_events SET received_at = now() - interval '2 min'";

class TestRecovery : public QObject
{
    Q_OBJECT

private slots:
    void workRowsOfEndedEventsGo_data();
    void workRowsOfEndedEventsGo();
    void aContradictionIsLeftToItsLetter();
    void eventsThatNobodyWorksOnComeBack_data();
    void eventsThatNobodyWorksOnComeBack();
    void whatComesBackIsSettledAndTold();
    void aTransferOnAChainWaitsAgain();
    void itWalksThroughTheOldOnesInTurn();
    void fiftyInOneLook();
    void aHeldLaneIsNotPassedBy();
    void aLostLeaseEndsIt();
    void pagesOfWaitsAreLookedAtInTurn();

private:
    watch::RecoveryReport run(DrainBench& bench);
    watch::Recovery recovery(watch::RecoveryOptions options = {});

    support::TestStack m_stack;
    store::PaymentLog m_log{"recovery"};
    base::Alerter m_alerter;
    base::Metrics m_metrics;
};

watch::Recovery TestRecovery::recovery(watch::RecoveryOptions options)
{
    return watch::Recovery{std::move(options), m_log, m_alerter, m_metrics};
}

watch::RecoveryReport TestRecovery::run(DrainBench& bench)
{
    auto lease = bench.lease();
    return support::require(recovery().run(lease));
}

void TestRecovery::workRowsOfEndedEventsGo_data()
{
    QTest::addColumn<QString>("outcome"); // of the event
    QTest::addColumn<QString>("processed"); // its outcome row
    QTest::addColumn<QString>("age");
    QTest::addColumn<int>("removed");

    QTest::newRow("confirmed") << "'confirmed', NULL"
                               << "success"
                               << "2 min" << 1;
    QTest::newRow("refused") << "'failed', 'insufficient_funds'"
                             << "insufficient_funds"
                             << "2 min" << 1;
    QTest::newRow("failed") << "'failed', 'exhausted'"
                            << ""
                            << "2 min" << 1;
    QTest::newRow("confirmed just now") << "'confirmed', NULL"
                                        << "success"
                                        << "10 s" << 0;
    QTest::newRow("its outcome row was dropped long ago") << "'confirmed', NULL"
                                                          << ""
                                                          << "14 days" << 1;
    QTest::newRow("not ended") << "NULL, NULL"
                               << ""
                               << "2 min" << 0;
}

void TestRecovery::workRowsOfEndedEventsGo()
{
    QFETCH(QString, outcome);
    QFETCH(QString, processed);
    QFETCH(QString, age);
    QFETCH(int, removed);
    DrainBench bench{m_stack};
    const auto queued = std::to_string(bench.events().put({.id = "queued"}));
    const auto waiting = std::to_string(bench.events().put({.id = "waiting", .user = 2}));
    const bool hasEnded = !outcome.startsWith("NULL");
    bench.database().run("DELETE FROM event_queue WHERE event_no = " + waiting
        + "; INSERT INTO event_waits (event_no, user_id, lane, reason, due_at) VALUES (" + waiting
        + ", 2, 2, 'finality', 'infinity')");
    bench.database().run("UPDATE payment_events SET (outcome, failure, settled_at) = (SELECT "
        + outcome.toStdString() + ", "
        + (hasEnded ? "now() - interval '" + age.toStdString() + "'" : "NULL::timestamptz") + ")");
    if (!processed.isEmpty()) {
        bench.database().run("INSERT INTO processed_events (event_no, idempotency_key, outcome)"
                             " SELECT event_no, '', '"
            + processed.toStdString() + "' FROM payment_events");
    }

    QCOMPARE(run(bench).removed, 2 * removed);

    QCOMPARE(bench.events().count("event_queue"), 1 - removed);
    QCOMPARE(bench.events().count("event_waits"), 1 - removed);
    QCOMPARE(bench.events().count("payment_log"), 0);
}

void TestRecovery::aContradictionIsLeftToItsLetter()
{
    DrainBench bench{m_stack};
    bench.events().put({.id = "a"});
    bench.database().run("UPDATE payment_events SET outcome = 'failed', failure = 'exhausted',"
                         " settled_at = now() - interval '1 h';"
                         " INSERT INTO processed_events (event_no, idempotency_key, outcome)"
                         " SELECT event_no, '', 'success' FROM payment_events");

    QCOMPARE(run(bench).removed, 0);

    QCOMPARE(bench.events().count("event_queue"), 1);
}

void TestRecovery::eventsThatNobodyWorksOnComeBack_data()
{
    QTest::addColumn<QString>("then"); // $: the event's number
    QTest::addColumn<bool>("comesBack");

    const QString gone{"DELETE FROM event_queue"};
    const QString wait{gone
        + "; INSERT INTO event_waits (event_no, user_id, lane, reason, due_at)"
          " VALUES ($, 1, 1, '%1', %2)"};
    QTest::newRow("its work row is gone") << gone + ";" + kAged << true;
    QTest::newRow("gone, but it came just now") << gone << false;
    QTest::newRow("it stands in the queue, for hours")
        << "UPDATE payment_events SET received_at = now() - interval '5 h'" << false;
    QTest::newRow("it waits for its retry") << wait.arg("retry", "now()") + ";" + kAged << false;
    QTest::newRow("it waits for ever for its chain")
        << wait.arg("finality", "'infinity'") + ";" + kAged << false;
    QTest::newRow("it has ended") << gone
            + "; UPDATE payment_events SET outcome = 'confirmed', settled_at = now();"
            + kAged << false;
}

void TestRecovery::eventsThatNobodyWorksOnComeBack()
{
    QFETCH(QString, then);
    QFETCH(bool, comesBack);
    DrainBench bench{m_stack};
    const auto no = bench.events().put({.id = "a"});
    // An ended event is an event of the past: its other fields no longer change.
    bench.database().run("ALTER TABLE payment_events DISABLE TRIGGER payment_events_ended");
    bench.database().run(then.replace("$", QString::number(no)).toStdString());
    const auto before = bench.events().count("event_waits");

    QCOMPARE(run(bench).putBack, comesBack ? 1 : 0);

    QCOMPARE(bench.events().count("event_waits"), before);
    QCOMPARE(bench.events().count("event_queue", "attempts <> 0"), 0);
    QCOMPARE(bench.events().count("payment_log"), comesBack ? 1 : 0);
    if (comesBack) QCOMPARE(bench.events().state(no), std::string{"enqueued"});
    QCOMPARE(run(bench).putBack, 0);
}

void TestRecovery::whatComesBackIsSettledAndTold()
{
    DrainBench bench{m_stack};
    base::Alerter alerter;
    std::vector<std::string> alerts;
    alerter.addSink([&](const base::Alert& alert) { alerts.push_back(alert.key); });
    const auto no = bench.events().put({.id = "a"});
    bench.database().run(std::string{"DELETE FROM event_queue;"} + kAged);
    int wakes = 0;
    auto lease = bench.lease();

    watch::Recovery one{{.onWork = [&] { ++wakes; }}, m_log, alerter, m_metrics};
    support::require(one.run(lease));

    QCOMPARE(wakes, 1);
    QCOMPARE(alerts, (std::vector<std::string>{"events_without_work"}));
    QCOMPARE(bench.database().table("SELECT kind, payment_id, detail FROM payment_log"),
        std::string{"(payment.enqueued,a,\"{\"\"recovered\"\": true}\")"});
    bench.events().settleAll();
    QCOMPARE(bench.events().state(no), std::string{"confirmed"});
    QCOMPARE(bench.database().balance(1), std::string{"10"});
    QCOMPARE(bench.events().complaints(), std::string{});
}

void TestRecovery::aTransferOnAChainWaitsAgain()
{
    DrainBench bench{m_stack};
    const auto credit = bench.events().put({.id = "in", .txHash = "0xaa"});
    const auto debit
        = bench.events().put({.id = "out", .type = "withdrawal", .user = 2, .txHash = "0xbb"});
    bench.database().run(std::string{"DELETE FROM event_queue;"} + kAged);

    QCOMPARE(run(bench).putBack, 2);

    // It may not be credited before its transaction is final, whatever it had waited for.
    QCOMPARE(bench.database().table("SELECT event_no, reason, chain, due_at FROM event_waits"),
        "(" + std::to_string(credit) + ",finality,eip155:1,infinity)");
    QCOMPARE(bench.database().value("SELECT event_no FROM event_queue"), std::to_string(debit));
}

void TestRecovery::itWalksThroughTheOldOnesInTurn()
{
    DrainBench bench{m_stack};
    bench.events().putDeposits("d", 100, 10);
    bench.database().run(
        std::string{"DELETE FROM event_queue WHERE event_no IN (5, 55, 98);"} + kAged);
    std::vector<std::int64_t> found;
    std::int64_t walked = 0;
    for (int run = 0; run < 6; ++run) { // another process each time: only the lease remembers
        auto given = bench.lease();
        store::JobLease lease{given.connection(), "dlq_drain", given.token(), walked};
        const auto report = support::require(recovery({.recent = 10, .walk = 20}).run(lease));
        found.push_back(report.putBack);
        walked = lease.walkedTo();
    }
    // 98 is among the newest, 5 and 55 are come by: 1-20, 21-40, 41-60, …, 1-20 again.
    QCOMPARE(found, (std::vector<std::int64_t>{2, 0, 1, 0, 0, 0}));
    QCOMPARE(walked, 20);
}

void TestRecovery::fiftyInOneLook()
{
    DrainBench bench{m_stack};
    bench.events().putDeposits("d", 130, 10);
    bench.database().run(std::string{"DELETE FROM event_queue;"} + kAged);

    QCOMPARE(run(bench).putBack, 100); // the newest fifty and the first fifty of the walk
    QCOMPARE(run(bench).putBack, 30);
    bench.events().settleAll();
    QCOMPARE(bench.events().complaints(), std::string{});
}

void TestRecovery::aHeldLaneIsNotPassedBy()
{
    DrainBench bench{m_stack};
    bench.events().put({.id = "a"});
    bench.database().run(std::string{"DELETE FROM event_queue;"} + kAged);
    auto settler = bench.database().connect("countersign_processor");
    support::require(settler.runScript("BEGIN; SELECT FROM lanes WHERE lane = 1 FOR UPDATE"));
    auto lease = bench.lease();

    const auto blocked = recovery().run(lease);

    QVERIFY(!blocked); // tried again at its next time
    QCOMPARE(blocked.error().code, std::string{"55P03"});
    QCOMPARE(bench.events().count("event_queue"), 0);
    support::require(settler.runScript("ROLLBACK"));
    QCOMPARE(run(bench).putBack, 1);
}

void TestRecovery::aLostLeaseEndsIt()
{
    DrainBench bench{m_stack};
    bench.events().put({.id = "a"});
    bench.database().run(std::string{"DELETE FROM event_queue;"} + kAged);
    auto lost = bench.lease();
    auto taken = bench.lease();

    const auto refused = recovery().run(lost);

    QVERIFY(!refused);
    QCOMPARE(refused.error().code, std::string{store::kLeaseLost});
    QCOMPARE(support::require(recovery().run(taken)).putBack, 1);
}

void TestRecovery::pagesOfWaitsAreLookedAtInTurn()
{
    DrainBench bench{m_stack};
    bench.events().putDeposits("d", 1500, 10);
    bench.database().run("INSERT INTO event_waits (event_no, user_id, lane, reason, due_at)"
                         " SELECT event_no, user_id, lane, 'finality', 'infinity' FROM event_queue;"
                         " DELETE FROM event_queue;"
                         " UPDATE payment_events SET outcome = 'failed', failure = 'orphaned',"
                         " settled_at = now() - interval '2 min' WHERE event_no = 1400");
    auto one = recovery();
    std::vector<std::int64_t> removed;
    for (int run = 0; run < 3; ++run) {
        auto lease = bench.lease();
        removed.push_back(support::require(one.run(lease)).removed);
    }

    QCOMPARE(removed, (std::vector<std::int64_t>{0, 1, 0}));
    QCOMPARE(bench.events().count("event_waits"), 1499);
}

} // namespace

QTEST_GUILESS_MAIN(TestRecovery)
#include "tst_recovery.moc"
