// A whole run of the drain: its order, its bounds, and whoever dies or is in the way.

#include "tests/processor/watch/drain_bench.h"
#include "tests/support/require.h"
#include "tests/support/wait.h"

#include <QTest>
#include <barrier>
#include <thread>

using namespace std::chrono_literals;

namespace {

// PostgreSQL takes no letter of an event whose id begins so.
constexpr const char* kRefuseBad = R"(
    CREATE FUNCTION refuse_bad() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.event_id LIKE 'bad%' THEN
            RAISE check_violation USING MESSAGE = 'no bad letters';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER refuse_bad BEFORE INSERT ON dead_letter_queue FOR EACH ROW
        EXECUTE FUNCTION refuse_bad())";

class TestLetterDrain : public QObject
{
    Q_OBJECT

private slots:
    void nothingIsThere();
    void whoDiesAtAnyStepLosesNothing_data();
    void whoDiesAtAnyStepLosesNothing();
    void whatWasLeftBehindComesFirst();
    void fiveHundredInARun();
    void tenFailuresInARowEndARun_data();
    void tenFailuresInARowEndARun();
    void whatCannotComeBackDoesNotStandBeforeTheRest();
    void aLostLeaseEndsTheRun();
    void rowsHeldByAPersonHoldNothingUp();
    void aDrainAndSettlersEndEachEventOnce();
    void twoDrainsAtOnceDoNotDouble();
    void aStopEndsTheRun();

private:
    support::TestStack m_stack;
};

void TestLetterDrain::nothingIsThere()
{
    DrainBench bench{m_stack};
    const auto report = bench.run();
    QCOMPARE(report.drained, 0);
    QCOMPARE(report.text(), std::string{});
}

void TestLetterDrain::whoDiesAtAnyStepLosesNothing_data()
{
    QTest::addColumn<int>("steps"); // done before the death
    QTest::newRow("before anything") << 0;
    QTest::newRow("between taking it and PostgreSQL") << 1;
    QTest::newRow("between PostgreSQL and forgetting it") << 2;
    QTest::newRow("after all") << 3;
}

void TestLetterDrain::whoDiesAtAnyStepLosesNothing()
{
    QFETCH(int, steps);
    DrainBench bench{m_stack};
    bench.push(bench.entryOf(bench.copyOf(bench.putExhausted("a"))));
    {
        auto lease = bench.lease();
        const auto dying = bench.drain();
        std::string entry;
        if (steps > 0) entry = support::require(dying->take()).value();
        if (steps > 1) support::require(dying->bring(lease, entry));
        if (steps > 2) support::require(dying->forget(entry));
    }

    const auto report = bench.run();

    QCOMPARE(report.drained, steps == 3 ? 0 : 1);
    QCOMPARE(report.left, 0);
    QCOMPARE(bench.events().count("dead_letter_queue"), 1);
    QCOMPARE(bench.events().complaints(), std::string{});
}

void TestLetterDrain::whatWasLeftBehindComesFirst()
{
    DrainBench bench{m_stack};
    const auto put = [&](const std::string& id, std::string_view list) {
        bench.push(bench.entryOf(bench.copyOf(bench.putExhausted(id))), list);
    };
    put("third", store::kLetterList);
    put("fourth", store::kLetterList);
    put("first", store::kDrainingList);
    put("second", store::kDrainingList);

    QCOMPARE(bench.run().drained, 4);

    QCOMPARE(bench.database().value(
                 "SELECT string_agg(event_id, ' ' ORDER BY id) FROM dead_letter_queue"),
        std::string{"first second third fourth"});
}

void TestLetterDrain::fiveHundredInARun()
{
    DrainBench bench{m_stack};
    for (int i = 0; i < 510; ++i) bench.push("garbage " + std::to_string(i));

    const auto first = bench.run();
    const auto second = bench.run();

    QCOMPARE(first.drained, 500);
    QCOMPARE(first.left, 10);
    QCOMPARE(second.drained, 10);
    QCOMPARE(bench.events().count("quarantine"), 510);
}

void TestLetterDrain::tenFailuresInARowEndARun_data()
{
    QTest::addColumn<QList<int>>("kinds"); // so many bad ones, one good one, so many bad ones, …
    QTest::addColumn<int>("drained");
    QTest::addColumn<int>("failed");
    QTest::addColumn<bool>("cut");

    QTest::newRow("nine, a good one, nine") << QList<int>{9, 9} << 2 << 18 << false;
    QTest::newRow("ten, and the good one is not reached") << QList<int>{10} << 0 << 10 << true;
    QTest::newRow("nine, a good one, ten") << QList<int>{9, 10} << 1 << 19 << true;
}

void TestLetterDrain::tenFailuresInARowEndARun()
{
    QFETCH(QList<int>, kinds);
    QFETCH(int, drained);
    QFETCH(int, failed);
    QFETCH(bool, cut);
    DrainBench bench{m_stack};
    bench.database().run(kRefuseBad);
    int number = 0;
    const auto put = [&](const std::string& kind) {
        const std::string id = kind + std::to_string(++number);
        bench.push(bench.entryOf(bench.copyOf(bench.putExhausted(id))));
    };
    for (const int bad : kinds) {
        for (int i = 0; i < bad; ++i) put("bad");
        put("good");
    }

    const auto report = bench.run();

    QCOMPARE(report.drained, drained);
    QCOMPARE(report.failed, failed);
    QCOMPARE(report.isCutShort, cut);
    // Nothing is lost: what failed stands in Redis, and its work row stands, too.
    QCOMPARE(report.left, number - drained);
    QCOMPARE(bench.events().count("event_queue"), number - drained);
    bench.database().run("DROP TRIGGER refuse_bad ON dead_letter_queue");
    QCOMPARE(bench.run().drained, number - drained);
    QCOMPARE(bench.events().count("dead_letter_queue"), number);
    QCOMPARE(bench.events().complaints(), std::string{});
}

void TestLetterDrain::whatCannotComeBackDoesNotStandBeforeTheRest()
{
    DrainBench bench{m_stack};
    bench.database().run(kRefuseBad);
    for (int i = 0; i < 12; ++i) {
        bench.push(bench.entryOf(bench.copyOf(bench.putExhausted("bad" + std::to_string(i)))));
    }
    bench.push(bench.entryOf(bench.copyOf(bench.putExhausted("good"))));
    QCOMPARE(bench.run().drained, 0);

    // The ten that failed have gone behind all others.
    QCOMPARE(bench.run().drained, 1);
    QCOMPARE(bench.events().count("dead_letter_queue", "event_id = 'good'"), 1);
    bench.database().run("DROP TRIGGER refuse_bad ON dead_letter_queue");
    const auto last = bench.run();

    QCOMPARE(last.drained, 12);
    QCOMPARE(bench.events().complaints(), std::string{});
}

void TestLetterDrain::rowsHeldByAPersonHoldNothingUp()
{
    DrainBench bench{m_stack};
    bench.push("garbage");
    QCOMPARE(bench.run().drained, 1);
    auto person = bench.database().connect("operator");
    support::require(person.runScript(
        "BEGIN; SELECT discard_quarantine(ARRAY(SELECT id FROM quarantine), 'not ours')"));
    bench.push("garbage");

    const auto report = bench.run();

    QCOMPARE(report.drained, 1);
    QCOMPARE(report.failed, 0);
    QCOMPARE(report.left, 0);
}

void TestLetterDrain::aLostLeaseEndsTheRun()
{
    DrainBench bench{m_stack};
    for (int i = 0; i < 3; ++i) bench.push("garbage " + std::to_string(i));
    auto lost = bench.lease();
    auto taken = bench.lease(); // by somebody else

    const auto report = bench.drain()->run(lost, {});

    QVERIFY(!report);
    QCOMPARE(report.error().code, std::string{store::kLeaseLost});
    QCOMPARE(bench.quarantine(), std::string{});
    QCOMPARE(support::require(bench.drain()->run(taken, {})).drained, 3);
}

void TestLetterDrain::aDrainAndSettlersEndEachEventOnce()
{
    DrainBench bench{m_stack};
    constexpr int kEvents = 200;
    for (int i = 0; i < kEvents; ++i) {
        bench.push(
            bench.entryOf(bench.copyOf(bench.putExhausted("e" + std::to_string(i), 1 + i % 7))));
    }
    std::barrier together{3};
    std::vector<std::jthread> settlers;
    for (int i = 0; i < 2; ++i) {
        settlers.emplace_back([&] {
            auto parts = bench.events().parts();
            parts.batchMost = 3; // so that both get their turn
            settle::Settler settler{std::move(parts)};
            together.arrive_and_wait();
            bench.events().settleAll(settler);
        });
    }
    together.arrive_and_wait();
    const auto report = bench.run();
    settlers.clear();

    QCOMPARE(report.drained + report.failed, kEvents);
    while (bench.run().drained > 0) {}
    bench.events().settleAll();
    QCOMPARE(bench.events().count("payment_events", "outcome IS NULL"), 0);
    QCOMPARE(bench.events().count("dead_letter_queue", "state = 'open'"),
        bench.events().count("payment_events", "outcome = 'failed'"));
    // Letters of events that were confirmed are kept as resolved; leave them out of the rules.
    bench.database().run("DELETE FROM dead_letter_queue WHERE state = 'resolved'");
    QCOMPARE(bench.events().complaints(), std::string{});
}

void TestLetterDrain::twoDrainsAtOnceDoNotDouble()
{
    DrainBench bench{m_stack};
    for (int i = 0; i < 50; ++i) {
        bench.push(bench.entryOf(bench.copyOf(bench.putExhausted("e" + std::to_string(i)))));
    }
    // Two with the same lease, which no scheduler would allow: even then.
    const auto lease = bench.lease();
    std::vector<std::jthread> drains;
    for (int i = 0; i < 2; ++i) {
        drains.emplace_back([&] {
            auto connection = bench.database().connect("countersign_processor");
            store::JobLease same{connection, "dlq_drain", lease.token(), 0};
            support::require(bench.drain()->run(same, {}));
        });
    }
    drains.clear();

    QCOMPARE(bench.events().count("dead_letter_queue"), 50);
    QVERIFY(bench.list(store::kDrainingList).empty());
    QCOMPARE(bench.events().complaints(), std::string{});
}

void TestLetterDrain::aStopEndsTheRun()
{
    DrainBench bench{m_stack};
    bench.push("garbage");
    std::stop_source stop;
    stop.request_stop();
    auto lease = bench.lease();
    QCOMPARE(support::require(bench.drain()->run(lease, stop.get_token())).left, 1);
}

} // namespace

QTEST_GUILESS_MAIN(TestLetterDrain)
#include "tst_letter_drain.moc"
