// Careful mode: only what has ended its worker three times is convicted, and nobody waits for it.
#include "tests/processor/settle/settle_bench.h"
#include "tests/support/require.h"

#include <QTest>
#include <algorithm>

class TestSettleCare : public QObject
{
    Q_OBJECT

private slots:
    void poisonIsConvictedByThreeTriesOfItsOwn();
    void healthyEventsAreSettledAndTheirTriesForgotten();
    void careConcernsOnlyWhatStoodInTheQueue();
    void whatStoodInAHeldLaneIsTriedAloneAfterwards();
    void aLostConnectionConvictsNobody();
    void aConvictWhoseLetterIsRefusedStopsNobodyElse();
    void aConvictIsNeverTriedAgain();

private:
    support::TestStack m_stack;
};

void TestSettleCare::poisonIsConvictedByThreeTriesOfItsOwn()
{
    SettleBench bench{m_stack};
    const auto poison = bench.put({.id = "poison", .user = 1});
    const auto tried = bench.put({.id = "tried", .user = 2});
    bench.database().run("UPDATE event_queue SET tries = CASE event_no WHEN "
        + std::to_string(poison) + " THEN 3 ELSE 2 END");
    auto parts = bench.parts();
    parts.careful = true;
    settle::Settler settler{std::move(parts)};

    bench.settleAll(settler);

    QCOMPARE(bench.state(poison), std::string{"failed poison"});
    QCOMPARE(bench.state(tried), std::string{"confirmed"});
    QCOMPARE(bench.alertKeys(), std::vector<std::string>{"recovery_exhausted"});
    QCOMPARE(bench.database().balance(1), std::string{"0"});
    QCOMPARE(bench.complaints(), std::string{});
}

void TestSettleCare::healthyEventsAreSettledAndTheirTriesForgotten()
{
    SettleBench bench{m_stack};
    bench.database().addBalance(1, "ETH", "5");
    bench.database().addBalance(3, "ETH", "5");
    auto holder = bench.database().connect();
    support::require(holder.runScript("BEGIN; SELECT FROM balances WHERE user_id = 1 FOR UPDATE"));
    const auto held = bench.put({.id = "held", .user = 1});
    const auto fine = bench.put({.id = "fine", .user = 2});
    const auto bad = bench.put({.id = "bad", .user = 3});
    bench.refuse("bad");
    const auto settler = bench.settler();
    settler->beCareful();

    for (int round = 0; round < 20; ++round) settler->runOnce();

    QCOMPARE(bench.state(fine), std::string{"confirmed"});
    QCOMPARE(bench.state(held), std::string{"enqueued"});
    QCOMPARE(bench.state(bad), std::string{"pending"});
    QCOMPARE(bench.database().value("SELECT tries FROM event_queue"), std::string{"0"});
}

void TestSettleCare::careConcernsOnlyWhatStoodInTheQueue()
{
    SettleBench bench{m_stack};
    bench.put({.id = "before-1", .user = 1});
    bench.put({.id = "before-2", .user = 2});
    const auto settler = bench.settler();
    settler->beCareful();
    QCOMPARE(settler->runOnce().confirmed, 1);
    for (int i = 0; i < 10; ++i) bench.put({.id = "after-" + std::to_string(i), .user = 3 + i});

    QCOMPARE(settler->runOnce().confirmed, 1); // the other one that stood there
    QCOMPARE(settler->runOnce().confirmed, 10); // all at once
    QCOMPARE(bench.complaints(), std::string{});
}

void TestSettleCare::whatStoodInAHeldLaneIsTriedAloneAfterwards()
{
    SettleBench bench{m_stack};
    const auto poison = bench.put({.id = "poison", .user = 1});
    bench.database().run("UPDATE event_queue SET tries = 3");
    auto dead = bench.database().connect(); // its server process does not know yet
    support::require(dead.runScript("BEGIN; SELECT FROM lanes WHERE lane = 1 FOR UPDATE"));
    const auto settler = bench.settler();
    settler->beCareful();
    settler->runOnce();
    const auto later = bench.put({.id = "later", .user = 2});
    settler->runOnce();
    QCOMPARE(bench.state(later), std::string{"confirmed"});
    support::require(dead.runScript("ROLLBACK"));
    const auto same = bench.put({.id = "same-lane", .user = 65});

    bench.settleAll(*settler);

    QCOMPARE(bench.state(poison), std::string{"failed poison"});
    QCOMPARE(bench.state(same), std::string{"confirmed"});
}

// The worker outlives each of its connections, so whatever ended them was not this event's doing.
void TestSettleCare::aLostConnectionConvictsNobody()
{
    SettleBench bench{m_stack};
    const auto no = bench.put({.id = "unlucky"});
    bench.database().run("CREATE FUNCTION hang_up() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                         " PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(5);"
                         " RETURN NEW; END $$;"
                         "CREATE TRIGGER hang_up BEFORE INSERT ON balance_events FOR EACH ROW"
                         " EXECUTE FUNCTION hang_up()");
    const auto settler = bench.settler();
    settler->beCareful();
    int outages = 0;
    for (int round = 0; round < 12; ++round) outages += settler->runOnce().isAway ? 1 : 0;
    QVERIFY2(outages > 3, std::to_string(outages).c_str());
    bench.database().run("DROP TRIGGER hang_up ON balance_events");

    bench.settleAll(*settler);

    QCOMPARE(bench.state(no), std::string{"confirmed"});
    QCOMPARE(bench.complaints(), std::string{});
}

void TestSettleCare::aConvictWhoseLetterIsRefusedStopsNobodyElse()
{
    SettleBench bench{m_stack};
    bench.database().run("ALTER TABLE dead_letter_queue ADD CONSTRAINT refused CHECK"
                         " (event_id <> 'poison')");
    const auto poison = bench.put({.id = "poison", .user = 1});
    bench.database().run("UPDATE event_queue SET tries = 3");
    const auto fine = bench.put({.id = "fine", .user = 2});
    const auto settler = bench.settler();
    settler->beCareful();

    for (int round = 0; round < 5; ++round) settler->runOnce();

    QCOMPARE(bench.state(fine), std::string{"confirmed"});
    QCOMPARE(bench.state(poison), std::string{"enqueued"});
}

// Careful or not: what has ended three workers does not get a fourth one.
void TestSettleCare::aConvictIsNeverTriedAgain()
{
    SettleBench bench{m_stack};
    const auto fine = bench.put({.id = "fine", .user = 2});
    const auto poison = bench.put({.id = "poison", .user = 1});
    bench.database().run(
        "UPDATE event_queue SET tries = 3 WHERE event_no = " + std::to_string(poison));

    bench.settleAll();

    QCOMPARE(bench.state(fine), std::string{"confirmed"});
    QCOMPARE(bench.state(poison), std::string{"failed poison"});
    QCOMPARE(bench.complaints(), std::string{});
}

QTEST_GUILESS_MAIN(TestSettleCare)
#include "tst_settle_care.moc"
