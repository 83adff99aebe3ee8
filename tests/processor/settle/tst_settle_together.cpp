// Several settlers, broken lines and servers that go away: nothing double, nothing lost.
#include "tests/processor/settle/settle_bench.h"
#include "tests/support/fault_proxy.h"
#include "tests/support/require.h"
#include "tests/support/temp_folder.h"
#include "tests/support/wait.h"

#include <QTest>
#include <barrier>
#include <thread>

class TestSettleTogether : public QObject
{
    Q_OBJECT

private slots:
    void twoSettlersShareTheLanes();
    void tenSettlersMoveOneEventOnce();
    void aHotAccountKeepsEverySettlerBusy();
    void aLoopSettlesWhatItIsWokenFor();
    void aCommitOfUnknownEndIsRunAgain_data();
    void aCommitOfUnknownEndIsRunAgain();
    void anEndedServerProcessNeverCounts();
    void aFrozenSettlerLosesItsLanes();

private:
    support::TestStack m_stack;
};

void TestSettleTogether::twoSettlersShareTheLanes()
{
    SettleBench bench{m_stack};
    bench.putDeposits("d", 4000, 150);
    std::vector<std::jthread> threads;
    for (int i = 0; i < 2; ++i) {
        threads.emplace_back([&bench, i] {
            auto parts = bench.parts();
            parts.liveSettlers = [] { return 2; };
            parts.laneStart = 32 * i;
            settle::Settler settler{std::move(parts)};
            bench.settleAll(settler);
        });
    }
    threads.clear();
    bench.settleAll(); // what a lane's holder left when the other looked

    QCOMPARE(bench.count("balance_events"), 4000);
    QCOMPARE(bench.count("event_queue"), 0);
    QCOMPARE(bench.database().value("SELECT deadlocks FROM pg_stat_database"
                                    " WHERE datname = current_database()"),
        std::string{"0"});
    QCOMPARE(bench.complaints(), std::string{});
    QCOMPARE(bench.settledNumbers().size(), std::size_t{4000});
}

void TestSettleTogether::tenSettlersMoveOneEventOnce()
{
    SettleBench bench{m_stack};
    bench.database().addBalance(1, "ETH", "100");
    const auto no = bench.put({.id = "once", .amount = "50", .merchant = "shop"});
    std::barrier together{10};
    std::vector<std::jthread> threads;
    for (int i = 0; i < 10; ++i) {
        threads.emplace_back([&] {
            const auto settler = bench.settler();
            together.arrive_and_wait();
            bench.settleAll(*settler);
        });
    }
    threads.clear();

    QCOMPARE(bench.state(no), std::string{"confirmed"});
    QCOMPARE(bench.database().balance(1), std::string{"150"});
    QCOMPARE(bench.count("balance_events"), 1);
    QCOMPARE(bench.database().table("SELECT trim_scale(balance), version FROM merchant_balances"),
        std::string{"(50,1)"});
    QCOMPARE(bench.complaints(), std::string{});
}

void TestSettleTogether::aHotAccountKeepsEverySettlerBusy()
{
    SettleBench bench{m_stack};
    bench.putDeposits("hot", 1500, 1);
    auto parts = bench.parts();
    parts.liveSettlers = [] { return 64; }; // the share is one lane, rarely the hot one
    settle::Settler settler{std::move(parts)};

    bench.settleAll(settler); // without a pause in between

    QCOMPARE(bench.count("event_queue"), 0);
    QCOMPARE(bench.complaints(), std::string{});
}

void TestSettleTogether::aLoopSettlesWhatItIsWokenFor()
{
    SettleBench bench{m_stack};
    std::jthread loop{[&](const std::stop_token& stop) { bench.settler()->run(stop); }};

    const auto first = bench.put({.id = "woken"});
    bench.wakeup.notify();
    QTRY_COMPARE(bench.state(first), std::string{"confirmed"});

    const auto second = bench.put({.id = "polled"});
    QTRY_COMPARE(bench.state(second), std::string{"confirmed"});
    QCOMPARE(bench.complaints(), std::string{});
}

void TestSettleTogether::aCommitOfUnknownEndIsRunAgain_data()
{
    QTest::addColumn<int>("fault");
    QTest::newRow("committed, the answer was lost")
        << static_cast<int>(support::FaultProxy::Fault::CutAfterAnswer);
    QTest::newRow("the COMMIT was lost") << static_cast<int>(support::FaultProxy::Fault::CutBefore);
}

void TestSettleTogether::aCommitOfUnknownEndIsRunAgain()
{
    QFETCH(int, fault);
    SettleBench bench{m_stack};
    bench.putDeposits("d", 50, 10);
    support::TempFolder folder;
    const auto url = bench.database().url();
    const auto from = url.find("host=") + 5;
    auto target = url.substr(from, url.find('&', from) - from);
    for (auto at = target.find("%2F"); at != std::string::npos; at = target.find("%2F")) {
        target.replace(at, 3, "/");
    }
    support::FaultProxy proxy{folder.file(".s.PGSQL.5432"), target + "/.s.PGSQL.5432"};
    auto parts = bench.parts();
    parts.database.url.replace(from, url.find('&', from) - from, folder.path());
    settle::Settler settler{std::move(parts)};
    proxy.arm(static_cast<support::FaultProxy::Fault>(fault), "FROM log_tail");

    const auto report = settler.runOnce();
    QVERIFY(proxy.hasStruck());
    QVERIFY(report.error);
    QCOMPARE(int(report.error->kind), int(base::ErrorKind::Unknown));
    proxy.arm(support::FaultProxy::Fault::None);
    QTRY_COMPARE((bench.settleAll(settler), bench.count("event_queue")), 0);

    QCOMPARE(bench.count("balance_events"), 50);
    QCOMPARE(bench.count("event_waits"), 0);
    QCOMPARE(bench.complaints(), std::string{});
}

void TestSettleTogether::anEndedServerProcessNeverCounts()
{
    SettleBench bench{m_stack};
    bench.database().addBalance(1, "ETH", "0");
    const auto no = bench.put({.id = "a", .merchant = "shop"});
    // Stuck on the merchant's row, in its second round trip, until its server process is ended.
    bench.database().run("INSERT INTO merchant_balances VALUES ('shop', 'ETH')");
    auto holder = bench.database().connect();
    support::require(holder.runScript("BEGIN; SELECT FROM merchant_balances FOR UPDATE"));
    const auto settler = bench.settler();
    settle::Report report;
    std::jthread worker{[&] { report = settler->runOnce(); }};
    const auto endIt = [&] {
        return bench.database().value(
                   "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE"
                   " datname = current_database() AND usename = 'countersign_processor'"
                   " AND wait_event_type = 'Lock'")
            == "1";
    };
    QVERIFY(support::waitUntil(endIt, std::chrono::seconds{2}));
    worker.join();

    QVERIFY(report.isAway);
    QCOMPARE(bench.state(no), std::string{"enqueued"});
    QCOMPARE(bench.database().value("SELECT attempts FROM event_queue"), std::string{"0"});
    support::require(holder.runScript("ROLLBACK"));
    QTRY_COMPARE((settler->runOnce(), bench.state(no)), std::string{"confirmed"});
    QCOMPARE(bench.complaints(), std::string{});
}

void TestSettleTogether::aFrozenSettlerLosesItsLanes()
{
    SettleBench bench{m_stack};
    const auto no = bench.put({.id = "a"});
    // A worker that stopped in the middle of its transaction, as the role's settings know it.
    auto frozen = bench.database().connect("countersign_processor");
    support::require(frozen.runScript("BEGIN; SELECT FROM lanes FOR UPDATE"));
    const auto settler = bench.settler();
    QCOMPARE(settler->runOnce().confirmed, 0);

    QTRY_COMPARE_WITH_TIMEOUT(
        (settler->runOnce(), bench.state(no)), std::string{"confirmed"}, 15000);
    QVERIFY(!frozen.runScript("COMMIT"));
    QCOMPARE(bench.complaints(), std::string{});
}

QTEST_GUILESS_MAIN(TestSettleTogether)
#include "tst_settle_together.moc"
