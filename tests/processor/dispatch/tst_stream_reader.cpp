#include "processor/dispatch/relay.h"
#include "processor/dispatch/stream_reader.h"
#include "tests/processor/dispatch/stream_stores.h"
#include "tests/support/wait.h"

#include <QTest>
#include <chrono>
#include <thread>

using namespace std::chrono_literals;
using dispatch::Relay;
using dispatch::relayAll;
using dispatch::StreamReader;
using dispatch::StreamStores;

// The stream follows: entries are acknowledged once the work rows of their events are gone.
class TstStreamReader : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { m_stack = std::make_unique<support::TestStack>(); }
    void otherKindsAreAcknowledgedUnread();
    void enqueuedWaitsForItsWorkRow();
    void oneThatWaitsForItsRetryIsAcknowledged();
    void fewThatStayDoNotHoldBackOthers();
    void holdsABoundedNumber();
    void wakesSettlersWhenWorkArrives();
    void withoutGroupItWaitsForTheRelay();
    void wipedRedisIsSurvived();
    void answerLostIsListedAgain();
    void bodyDeletedMeanwhileIsAskedOfTheLog();
    void databaseAwayKeepsEntries();
    void stopEndsALongBlock();

private:
    // Rounds until nothing is left to acknowledge; true when `count` were.
    static bool acknowledges(StreamReader& reader, std::int64_t count)
    {
        std::int64_t done = 0;
        return support::waitUntil(
            [&] {
                const auto round = reader.runOnce({});
                if (round) done += *round;
                return done >= count;
            },
            10s);
    }
    std::unique_ptr<support::TestStack> m_stack;
};

void TstStreamReader::otherKindsAreAcknowledgedUnread()
{
    StreamStores stores{*m_stack};
    stores.log(700, "payment.confirmed");
    Relay relay{stores.relayOptions(), stores.alerter, stores.metrics};
    QCOMPARE(relayAll(relay), 700);
    StreamReader reader{stores.readerOptions("a"), stores.metrics};

    QVERIFY(reader.runOnce({}));
    QVERIFY(reader.runOnce({}));

    QCOMPARE(stores.pending(), 0);
    QCOMPARE(stores.readAll("balance_updaters").size(), std::size_t{0});
    QCOMPARE(stores.readAll("analytics").size(), std::size_t{700}); // other groups are not touched
}

void TstStreamReader::enqueuedWaitsForItsWorkRow()
{
    StreamStores stores{*m_stack};
    stores.enqueue(3);
    Relay relay{stores.relayOptions(), stores.alerter, stores.metrics};
    QCOMPARE(relayAll(relay), 3);
    StreamReader reader{stores.readerOptions("a"), stores.metrics};

    QCOMPARE(*reader.runOnce({}), 0);
    QCOMPARE(*reader.runOnce({}), 0);
    QCOMPARE(stores.pending(), 3);
    QCOMPARE(reader.held(), std::size_t{3});
    stores.endEvents(1);

    QVERIFY(acknowledges(reader, 2));
    QCOMPARE(stores.pending(), 1);
    stores.endEvents();
    QVERIFY(acknowledges(reader, 1));
    QCOMPARE(stores.pending(), 0);
    const auto text = stores.metrics.renderMetrics();
    QVERIFY(text.find("countersign_stream_entries_acknowledged_total{group=\"balance_updaters\"} 3")
        != std::string::npos);
}

void TstStreamReader::oneThatWaitsForItsRetryIsAcknowledged()
{
    StreamStores stores{*m_stack};
    stores.enqueue(1);
    Relay relay{stores.relayOptions(), stores.alerter, stores.metrics};
    QCOMPARE(relayAll(relay), 1);
    StreamReader reader{stores.readerOptions("a"), stores.metrics};
    QCOMPARE(*reader.runOnce({}), 0);

    stores.database.run(
        "WITH gone AS (DELETE FROM event_queue RETURNING *) INSERT INTO event_waits "
        "(event_no, user_id, lane, reason, attempts, due_at) SELECT event_no, "
        "user_id, lane, 'retry', 1, now() + interval '1 minute' FROM gone");

    QVERIFY(acknowledges(reader, 1));
    QCOMPARE(stores.pending(), 0);
}

void TstStreamReader::fewThatStayDoNotHoldBackOthers()
{
    StreamStores stores{*m_stack};
    stores.enqueue(2'500);
    Relay relay{stores.relayOptions(), stores.alerter, stores.metrics};
    QCOMPARE(relayAll(relay), 2'500);
    stores.database.run("DELETE FROM event_queue WHERE event_no > 1200"); // the oldest stay
    StreamReader reader{stores.readerOptions("a"), stores.metrics};

    QVERIFY(acknowledges(reader, 1'300));

    QCOMPARE(stores.pending(), 1'200);
    QCOMPARE(reader.held(), std::size_t{1'200});
}

void TstStreamReader::holdsABoundedNumber()
{
    StreamStores stores{*m_stack};
    stores.enqueue(7'000);
    Relay relay{stores.relayOptions(), stores.alerter, stores.metrics};
    QCOMPARE(relayAll(relay), 7'000);
    StreamReader reader{stores.readerOptions("a"), stores.metrics};

    for (int round = 0; round < 20; ++round) QCOMPARE(*reader.runOnce({}), 0);

    QCOMPARE(reader.held(), std::size_t{5'000});
    stores.endEvents();
    QVERIFY(acknowledges(reader, 7'000));
    QCOMPARE(stores.pending(), 0);
}

void TstStreamReader::wakesSettlersWhenWorkArrives()
{
    StreamStores stores{*m_stack};
    int woken = 0;
    auto options = stores.readerOptions("a");
    options.onEnqueued = [&woken] { ++woken; };
    StreamReader reader{options, stores.metrics};
    Relay relay{stores.relayOptions(), stores.alerter, stores.metrics};
    stores.log(5, "payment.confirmed");
    QCOMPARE(relayAll(relay), 5);

    QVERIFY(reader.runOnce({}));
    QCOMPARE(woken, 0);
    stores.enqueue(5);
    QCOMPARE(relayAll(relay), 5);
    QVERIFY(reader.runOnce({}));

    QCOMPARE(woken, 1);
}

void TstStreamReader::withoutGroupItWaitsForTheRelay()
{
    StreamStores stores{*m_stack};
    StreamReader reader{stores.readerOptions("a"), stores.metrics};
    stores.enqueue(1);
    stores.endEvents();

    const auto early = reader.runOnce({});

    QVERIFY(!early);
    QCOMPARE(early.error().code, "NOGROUP");
    QCOMPARE(stores.command({"EXISTS", "payments:events"}).integer, 0); // only the relay makes it
    Relay relay{stores.relayOptions(), stores.alerter, stores.metrics};
    QCOMPARE(relayAll(relay), 1);
    QVERIFY(acknowledges(reader, 1));
}

void TstStreamReader::wipedRedisIsSurvived()
{
    StreamStores stores{*m_stack};
    stores.enqueue(10);
    Relay relay{stores.relayOptions(), stores.alerter, stores.metrics};
    QCOMPARE(relayAll(relay), 10);
    StreamReader reader{stores.readerOptions("a"), stores.metrics};
    QVERIFY(reader.runOnce({}));
    QVERIFY(stores.redis->restart());

    QVERIFY(!reader.runOnce({}));
    QVERIFY(relay.upkeep());
    QCOMPARE(relayAll(relay), 10);
    stores.endEvents();

    QVERIFY(acknowledges(reader, 10));
    QVERIFY(support::waitUntil([&] { return stores.pending() == 0; }, 5s));
}

void TstStreamReader::answerLostIsListedAgain()
{
    StreamStores stores{*m_stack};
    stores.enqueue(1'100);
    stores.endEvents();
    Relay relay{stores.relayOptions(), stores.alerter, stores.metrics};
    QCOMPARE(relayAll(relay), 1'100);
    // Delivered to this consumer, and the answer never came.
    (void)stores.command({"XREADGROUP", "GROUP", "balance_updaters", "a", "COUNT", "2000",
        "STREAMS", "payments:events", ">"});
    StreamReader reader{stores.readerOptions("a"), stores.metrics};

    QVERIFY(acknowledges(reader, 1'100));

    QCOMPARE(stores.pending(), 0);
}

void TstStreamReader::bodyDeletedMeanwhileIsAskedOfTheLog()
{
    StreamStores stores{*m_stack};
    stores.enqueue(3);
    Relay relay{stores.relayOptions(), stores.alerter, stores.metrics};
    QCOMPARE(relayAll(relay), 3);
    (void)stores.command(
        {"XREADGROUP", "GROUP", "balance_updaters", "a", "STREAMS", "payments:events", ">"});
    (void)stores.command({"XDEL", "payments:events", "2-0"});
    StreamReader reader{stores.readerOptions("a"), stores.metrics};
    QCOMPARE(*reader.runOnce({}), 0);
    QCOMPARE(reader.held(), std::size_t{3});
    stores.endEvents();

    QVERIFY(acknowledges(reader, 3));

    QCOMPARE(stores.pending(), 0);
}

void TstStreamReader::databaseAwayKeepsEntries()
{
    StreamStores stores{*m_stack};
    stores.enqueue(4);
    Relay relay{stores.relayOptions(), stores.alerter, stores.metrics};
    QCOMPARE(relayAll(relay), 4);
    auto options = stores.readerOptions("a");
    StreamReader reader{options, stores.metrics};
    QVERIFY(reader.runOnce({}));
    stores.endEvents();
    stores.database.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = "
                        "'countersign_processor' AND datname = current_database()");

    QVERIFY(!reader.runOnce({}));

    QCOMPARE(stores.pending(), 4);
    QVERIFY(acknowledges(reader, 4));
    QCOMPARE(stores.pending(), 0);
}

void TstStreamReader::stopEndsALongBlock()
{
    StreamStores stores{*m_stack};
    stores.log(1);
    Relay relay{stores.relayOptions(), stores.alerter, stores.metrics};
    QCOMPARE(relayAll(relay), 1);
    auto options = stores.readerOptions("a");
    options.block = 30s;
    base::Progress progress;
    auto& pulse = progress.add("reader", 60s);
    StreamReader reader{options, stores.metrics};
    std::jthread thread{[&](const std::stop_token& stop) { reader.run(stop, pulse); }};
    const auto consumers = [&] {
        return stores.command({"XINFO", "CONSUMERS", "payments:events", "balance_updaters"})
            .items.size();
    };
    const auto isBlocked = [&] {
        return stores.command({"INFO", "clients"}).text.find("blocked_clients:1")
            != std::string::npos;
    };
    QVERIFY(support::waitUntil([&] { return consumers() == 1 && isBlocked(); }, 10s));
    const auto begun = std::chrono::steady_clock::now();

    thread.request_stop();
    thread.join();

    QVERIFY(std::chrono::steady_clock::now() - begun < 5s);
    QCOMPARE(consumers(), std::size_t{0}); // it held nothing and left
}

QTEST_GUILESS_MAIN(TstStreamReader)
#include "tst_stream_reader.moc"
