// What goes wrong with one event stays with that event: held accounts, culprits, retries, poison.
#include "tests/processor/settle/settle_bench.h"
#include "tests/support/require.h"

#include <QTest>

class TestSettleIsolation : public QObject
{
    Q_OBJECT

private slots:
    void aHeldAccountDefersOnlyItsOwnEvents();
    void aHeldAccountWithALongQueueDoesNotStopTheOthers();
    void thousandsOfHeldAccountsDoNotStopTheOthers();
    void aHeldLaneIsLeftToItsHolder();
    void aCulpritIsFoundAndTheOthersAreSettled();
    void aRetryWaitsByTheRuleOfFullJitter();
    void aWaitingRetryHoldsBackLaterEventsOfItsAccountOnly();
    void sixFailedAttemptsEndWithOneLetter();
    void oneFailsForEverBesideAThousandGoodOnes();
    void aRefusedLetterStopsNobodyElse();
    void aLockTimeoutOnBalancesNeverCounts();
    void aHeldMerchantLetsOthersPassAndNeverCounts();
    void aMissingPartitionCondemnsNobody();
    void aServerThatRefusesForLongIsSaid();

private:
    support::TestStack m_stack;
};

void TestSettleIsolation::aHeldAccountDefersOnlyItsOwnEvents()
{
    SettleBench bench{m_stack};
    bench.database().addBalance(1, "ETH", "5");
    auto holder = bench.database().connect();
    support::require(holder.runScript("BEGIN; SELECT FROM balances WHERE user_id = 1 FOR UPDATE"));
    const auto held = bench.put({.id = "held", .user = 1});
    const auto otherAsset = bench.put({.id = "asset", .user = 1, .asset = "USDC"});
    const auto otherUser = bench.put({.id = "user", .user = 2});
    const auto settler = bench.settler();

    const auto report = settler->runOnce();

    QCOMPARE(report.confirmed, 2);
    QCOMPARE(report.deferred, 1);
    QCOMPARE(bench.state(held), std::string{"enqueued"});
    QCOMPARE(bench.state(otherAsset), std::string{"confirmed"});
    QCOMPARE(bench.state(otherUser), std::string{"confirmed"});
    QCOMPARE(bench.database().value("SELECT attempts FROM event_queue"), std::string{"0"});

    support::require(holder.runScript("ROLLBACK"));
    QTRY_COMPARE_WITH_TIMEOUT(
        (settler->runOnce(), bench.state(held)), std::string{"confirmed"}, 5000);
    QCOMPARE(bench.complaints(), std::string{});
}

void TestSettleIsolation::aHeldAccountWithALongQueueDoesNotStopTheOthers()
{
    SettleBench bench{m_stack};
    bench.database().addBalance(1, "ETH", "5");
    auto holder = bench.database().connect();
    support::require(holder.runScript("BEGIN; SELECT FROM balances WHERE user_id = 1 FOR UPDATE"));
    bench.putDeposits("long", 1200, 1); // more than two batches of user 1 in front
    const auto behind = bench.put({.id = "behind", .user = 2});

    bench.settleAll();

    QCOMPARE(bench.state(behind), std::string{"confirmed"});
    QCOMPARE(bench.count("event_queue"), 1200);
    support::require(holder.runScript("ROLLBACK"));
    const auto settler = bench.settler();
    QTRY_COMPARE_WITH_TIMEOUT((settler->runOnce(), bench.count("event_queue")), 0, 10000);
    QCOMPARE(bench.complaints(), std::string{});
}

// As during a large import.
void TestSettleIsolation::thousandsOfHeldAccountsDoNotStopTheOthers()
{
    SettleBench bench{m_stack};
    bench.database().addUsers(201, 2501);
    bench.putDeposits("held", 2500, 2500);
    bench.database().run("INSERT INTO balances (user_id, asset)"
                         " SELECT n, 'ETH' FROM generate_series(1, 2500) n");
    auto holder = bench.database().connect();
    support::require(holder.runScript("BEGIN; SELECT FROM balances FOR UPDATE"));
    const auto later = bench.put({.id = "later", .user = 1});
    const auto behind = bench.put({.id = "behind", .user = 2501});
    const auto settler = bench.settler();

    QTRY_COMPARE_WITH_TIMEOUT(
        (settler->runOnce(), bench.state(behind)), std::string{"confirmed"}, 20000);

    QCOMPARE(bench.count("event_queue"), 2501);
    support::require(holder.runScript("ROLLBACK"));
    QTRY_COMPARE_WITH_TIMEOUT((settler->runOnce(), bench.count("event_queue")), 0, 30000);
    QCOMPARE(bench.database().value("SELECT max(event_no) FROM balance_events WHERE version = 2"),
        std::to_string(later)); // the order of each account is kept
    QCOMPARE(bench.complaints(), std::string{});
}

void TestSettleIsolation::aHeldLaneIsLeftToItsHolder()
{
    SettleBench bench{m_stack};
    auto holder = bench.database().connect();
    support::require(holder.runScript("BEGIN; SELECT FROM lanes WHERE lane = 1 FOR UPDATE"));
    const auto held = bench.put({.id = "held", .user = 65});
    const auto free = bench.put({.id = "free", .user = 2});

    bench.settleAll();

    QCOMPARE(bench.state(held), std::string{"enqueued"});
    QCOMPARE(bench.state(free), std::string{"confirmed"});
}

void TestSettleIsolation::aCulpritIsFoundAndTheOthersAreSettled()
{
    SettleBench bench{m_stack};
    bench.putDeposits("before", 300, 50);
    const auto bad = bench.put({.id = "bad", .user = 7});
    bench.putDeposits("after", 300, 50);
    bench.refuse("bad");

    const auto report = bench.settleAll();

    QCOMPARE(report.putOff, 1);
    QCOMPARE(bench.state(bad), std::string{"pending"});
    // Those of the same account behind it wait for it.
    QCOMPARE(bench.count("event_queue", "user_id <> 7"), 0);
    QCOMPARE(bench.count("event_queue"), 6);
    QCOMPARE(bench.count("balance_events"), 594);
}

void TestSettleIsolation::aRetryWaitsByTheRuleOfFullJitter()
{
    SettleBench bench{m_stack};
    const auto bad = bench.put({.id = "bad"});
    bench.refuse("bad");
    for (int attempt = 1; attempt <= 5; ++attempt) {
        bench.settleAll();

        const auto ceiling = std::to_string(1 << attempt);
        QCOMPARE(bench.database().table("SELECT reason, attempts, asset, lane, due_at BETWEEN"
                                        " clock_timestamp() - interval '1 second' AND"
                                        " clock_timestamp() + interval '"
                     + ceiling + " seconds' FROM event_waits"),
            "(retry," + std::to_string(attempt) + ",ETH,1,t)");
        bench.makeDue(bad);
    }
}

void TestSettleIsolation::aWaitingRetryHoldsBackLaterEventsOfItsAccountOnly()
{
    SettleBench bench{m_stack};
    const auto earlier = bench.put({.id = "earlier", .user = 1, .amount = "3"});
    const auto bad = bench.put({.id = "bad", .user = 1});
    bench.refuse("bad");
    bench.settleAll();
    QCOMPARE(bench.state(earlier), std::string{"confirmed"});
    const auto later = bench.put({.id = "later", .type = "withdrawal", .user = 1, .amount = "1"});
    const auto otherAsset = bench.put({.id = "asset", .user = 1, .asset = "USDC"});
    const auto otherUser = bench.put({.id = "user", .user = 2});
    const auto settler = bench.settler();

    bench.settleAll(*settler);

    QCOMPARE(bench.state(bad), std::string{"pending"});
    QCOMPARE(bench.state(later), std::string{"enqueued"});
    QCOMPARE(bench.state(otherAsset), std::string{"confirmed"});
    QCOMPARE(bench.state(otherUser), std::string{"confirmed"});

    bench.database().run("ALTER TABLE balance_events DROP CONSTRAINT refused");
    bench.makeDue(bad);
    QTRY_COMPARE_WITH_TIMEOUT(
        (bench.settleAll(*settler), bench.state(later)), std::string{"confirmed"}, 5000);
    QCOMPARE(bench.state(bad), std::string{"confirmed"});
    QCOMPARE(bench.complaints(), std::string{});
}

void TestSettleIsolation::sixFailedAttemptsEndWithOneLetter()
{
    SettleBench bench{m_stack};
    const auto bad = bench.put({.id = "bad", .merchant = "shop"});
    bench.refuse("bad");
    for (int attempt = 1; attempt <= 5; ++attempt) {
        QCOMPARE(bench.settleAll().putOff, 1);
        bench.makeDue(bad);
    }

    const auto report = bench.settleAll();

    QCOMPARE(report.failed, 1);
    QCOMPARE(bench.state(bad), std::string{"failed exhausted"});
    QCOMPARE(bench.database().table("SELECT event_id, error_class, attempt, merchant_id,"
                                    " error LIKE 'settle_write_journal: %refused%'"
                                    " FROM dead_letter_queue"),
        std::string{"(bad,23514,6,shop,t)"});
    QCOMPARE(bench.database().balance(1), std::string{"0"});
    QCOMPARE(bench.count("merchant_balances"), 0);
    QCOMPARE(bench.alertKeys(), std::vector<std::string>{"recovery_exhausted"});
    QCOMPARE(bench.complaints(), std::string{});
}

void TestSettleIsolation::oneFailsForEverBesideAThousandGoodOnes()
{
    SettleBench bench{m_stack};
    bench.putDeposits("good", 500, 100);
    const auto bad = bench.put({.id = "bad", .user = 200});
    bench.putDeposits("fine", 500, 100);
    bench.refuse("bad");
    const auto settler = bench.settler();

    settle::Report sum;
    for (int attempt = 1; attempt <= 6; ++attempt) {
        const auto report = bench.settleAll(*settler);
        sum.confirmed += report.confirmed;
        sum.failed += report.failed;
        if (attempt <= 5) bench.makeDue(bad);
    }

    QCOMPARE(sum.confirmed, 1000);
    QCOMPARE(sum.failed, 1);
    QCOMPARE(bench.count("dead_letter_queue"), 1);
    QCOMPARE(bench.state(bad), std::string{"failed exhausted"});
    QCOMPARE(bench.database().brokenSums(), std::string{"0"});
}

void TestSettleIsolation::aRefusedLetterStopsNobodyElse()
{
    SettleBench bench{m_stack};
    bench.refuse("stuck");
    bench.database().run("ALTER TABLE dead_letter_queue ADD CONSTRAINT refused CHECK"
                         " (event_id <> 'stuck')");
    const auto stuck = bench.put({.id = "stuck", .user = 1});
    bench.database().run("UPDATE event_queue SET attempts = 5");
    const auto first = bench.put({.id = "first", .user = 2});
    const auto second = bench.put({.id = "second", .user = 3});
    const auto settler = bench.settler();

    QTRY_COMPARE_WITH_TIMEOUT((static_cast<void>(settler->runOnce()), bench.state(second)),
        std::string{"confirmed"}, 5'000);
    QCOMPARE(bench.state(first), std::string{"confirmed"});
    QCOMPARE(bench.state(stuck), std::string{"enqueued"});
    QCOMPARE(bench.complaints(), std::string{});
}

void TestSettleIsolation::aLockTimeoutOnBalancesNeverCounts()
{
    SettleBench bench{m_stack};
    const auto no = bench.put({.id = "a", .user = 1});
    // A new account that somebody else is inserting: the only wait of the first round trip.
    auto other = bench.database().connect();
    support::require(
        other.runScript("BEGIN; INSERT INTO balances (user_id, asset) VALUES (1, 'ETH')"));
    const auto settler = bench.settler();

    const auto report = settler->runOnce();

    QVERIFY(report.error);
    QCOMPARE(report.error->code, std::string{"55P03"});
    QCOMPARE(bench.state(no), std::string{"enqueued"});
    QCOMPARE(bench.database().value("SELECT attempts FROM event_queue"), std::string{"0"});
    support::require(other.runScript("COMMIT"));
    QCOMPARE(bench.settleAll(*settler).confirmed, 1);
    QCOMPARE(bench.complaints(), std::string{});
}

void TestSettleIsolation::aHeldMerchantLetsOthersPassAndNeverCounts()
{
    SettleBench bench{m_stack};
    bench.database().run(
        "INSERT INTO merchant_balances (merchant_id, asset) VALUES ('shop', 'ETH')");
    const auto held = bench.put({.id = "held", .user = 1, .merchant = "shop"});
    const auto other = bench.put({.id = "other", .user = 2});
    auto holder = bench.database().connect();
    support::require(holder.runScript("BEGIN; SELECT FROM merchant_balances FOR UPDATE"));
    const auto settler = bench.settler();

    QTRY_COMPARE_WITH_TIMEOUT((static_cast<void>(settler->runOnce()), bench.state(other)),
        std::string{"confirmed"}, 20'000);
    QCOMPARE(bench.state(held), std::string{"enqueued"});
    QCOMPARE(bench.count("event_attempts"), 0);
    support::require(holder.runScript("COMMIT"));
    QTRY_COMPARE_WITH_TIMEOUT((static_cast<void>(settler->runOnce()), bench.state(held)),
        std::string{"confirmed"}, 20'000);
    QCOMPARE(bench.complaints(), std::string{});
}

void TestSettleIsolation::aMissingPartitionCondemnsNobody()
{
    SettleBench bench{m_stack};
    const auto no = bench.put({.id = "a"});
    bench.database().run("ALTER TABLE processed_events DETACH PARTITION processed_events_p000000");
    const auto settler = bench.settler();

    const auto report = settler->runOnce();

    QVERIFY(report.isAway);
    QCOMPARE(bench.state(no), std::string{"enqueued"});
    QCOMPARE(bench.alertKeys(), std::vector<std::string>{"settlement_broken"});
    QCOMPARE(bench.database().value("SELECT attempts FROM event_queue"), std::string{"0"});
}

// A lock that never comes is waiting, not failure – but people have to know.
void TestSettleIsolation::aServerThatRefusesForLongIsSaid()
{
    SettleBench bench{m_stack};
    const auto no = bench.put({.id = "a", .user = 1});
    auto other = bench.database().connect();
    support::require(
        other.runScript("BEGIN; INSERT INTO balances (user_id, asset) VALUES (1, 'ETH')"));
    auto parts = bench.parts();
    parts.sayBlockedAfter = std::chrono::milliseconds{1};
    settle::Settler settler{std::move(parts)};

    for (int round = 0; round < 3; ++round) settler.runOnce();

    QCOMPARE(bench.alertKeys(), (std::vector<std::string>{"settlement_blocked"}));
    support::require(other.runScript("COMMIT"));
    bench.settleAll(settler);
    QCOMPARE(bench.state(no), std::string{"confirmed"});
}

QTEST_GUILESS_MAIN(TestSettleIsolation)
#include "tst_settle_isolation.moc"
