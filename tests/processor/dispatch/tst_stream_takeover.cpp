#include "processor/dispatch/relay.h"
#include "processor/dispatch/stream_reader.h"
#include "tests/processor/dispatch/stream_stores.h"
#include "tests/support/wait.h"

#include <QTest>
#include <chrono>
#include <map>

using namespace std::chrono_literals;
using dispatch::Relay;
using dispatch::relayAll;
using dispatch::StreamReader;
using dispatch::StreamStores;
using dispatch::SuspectEntry;

// What a dead consumer holds is taken over; what a living one minds is left to it.
class TstStreamTakeover : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { m_stack = std::make_unique<support::TestStack>(); }
    void entriesOfADeadConsumerAreTakenOver();
    void entriesStillMindedAreLeftAlone();
    void deadConsumersAreRemovedOnceTheyHoldNothing();
    void thousandRestartsLeaveFewConsumers();
    void deletedEntriesDoNotStopTheTakeover();
    void deliveredThreeTimesIsASuspect();

private:
    // Delivered to a consumer that never comes back.
    static void readAsDead(StreamStores& stores, const std::string& consumer, int count)
    {
        (void)stores.command({"XREADGROUP", "GROUP", "balance_updaters", consumer, "COUNT",
            std::to_string(count), "STREAMS", "payments:events", ">"});
    }
    // As if the consumer had been silent for that long.
    static void age(StreamStores& stores, const std::string& consumer, std::int64_t from,
        std::int64_t to, const std::string& idleMs)
    {
        std::vector<std::string> command{
            "XCLAIM", "payments:events", "balance_updaters", consumer, "0"};
        for (auto number = from; number <= to; ++number) {
            command.push_back(dispatch::idOfNumber(number));
        }
        command.insert(command.end(), {"IDLE", idleMs, "JUSTID"});
        (void)stores.command(command);
    }
    static std::size_t consumers(StreamStores& stores)
    {
        return stores.command({"XINFO", "CONSUMERS", "payments:events", "balance_updaters"})
            .items.size();
    }
    std::unique_ptr<support::TestStack> m_stack;
};

void TstStreamTakeover::entriesOfADeadConsumerAreTakenOver()
{
    StreamStores stores{*m_stack};
    stores.enqueue(1'300); // three pages
    stores.endEvents(100);
    Relay relay{stores.relayOptions(), stores.alerter, stores.metrics};
    QCOMPARE(relayAll(relay), 1'300);
    readAsDead(stores, "dead", 2'000);
    age(stores, "dead", 1, 1'300, "61000");
    StreamReader reader{stores.readerOptions("alive"), stores.metrics};

    std::int64_t acknowledged = 0;
    QVERIFY(support::waitUntil(
        [&] {
            const auto round = reader.runOnce({});
            if (round) acknowledged += *round;
            return acknowledged == 1'200;
        },
        10s));

    QCOMPARE(reader.held(), std::size_t{100});
    QCOMPARE(stores.pending(), 100);
    stores.endEvents();
    QVERIFY(support::waitUntil([&] { return reader.runOnce({}) && stores.pending() == 0; }, 10s));
}

void TstStreamTakeover::entriesStillMindedAreLeftAlone()
{
    StreamStores stores{*m_stack};
    stores.enqueue(20);
    Relay relay{stores.relayOptions(), stores.alerter, stores.metrics};
    QCOMPARE(relayAll(relay), 20);
    auto options = stores.readerOptions("first");
    options.claimAfter = 400ms;
    options.block = 20ms;
    StreamReader first{options, stores.metrics};
    options.consumer = "second";
    StreamReader second{options, stores.metrics};
    QVERIFY(first.runOnce({}));
    const auto begun = std::chrono::steady_clock::now();

    // Both go on for several times the idle limit; the events do not end.
    while (std::chrono::steady_clock::now() - begun < 2s) {
        QVERIFY(first.runOnce({}));
        QVERIFY(second.runOnce({}));
    }

    QCOMPARE(first.held(), std::size_t{20});
    QCOMPARE(second.held(), std::size_t{0});
    const auto pending = stores.command(
        {"XPENDING", "payments:events", "balance_updaters", "-", "+", "100", "first"});
    QCOMPARE(pending.items.size(), std::size_t{20});
    QCOMPARE(pending.items[0].items[3].integer, 1); // waiting is not a delivery
}

void TstStreamTakeover::deadConsumersAreRemovedOnceTheyHoldNothing()
{
    StreamStores stores{*m_stack};
    stores.enqueue(2);
    Relay relay{stores.relayOptions(), stores.alerter, stores.metrics};
    QCOMPARE(relayAll(relay), 2);
    readAsDead(stores, "holds", 1);
    readAsDead(stores, "held", 1);
    stores.acknowledge("balance_updaters", 2, 2);
    auto options = stores.readerOptions("alive");
    options.claimAfter = 200ms;
    options.block = 20ms;
    options.onSuspects = {};
    StreamReader reader{options, stores.metrics};

    QVERIFY(support::waitUntil([&] { return reader.runOnce({}) && consumers(stores) == 1; }, 10s));

    QCOMPARE(reader.held(), std::size_t{1}); // taken over before its holder went
    QCOMPARE(stores.pending(), 1);
}

void TstStreamTakeover::thousandRestartsLeaveFewConsumers()
{
    StreamStores stores{*m_stack};
    stores.enqueue(1'000);
    Relay relay{stores.relayOptions(), stores.alerter, stores.metrics};
    QCOMPARE(relayAll(relay), 1'000);
    for (int i = 0; i < 1'000; ++i) readAsDead(stores, "start" + std::to_string(i), 1);
    QCOMPARE(consumers(stores), std::size_t{1'000});
    stores.endEvents();
    auto options = stores.readerOptions("alive");
    options.claimAfter = 100ms;
    options.block = 20ms;
    StreamReader reader{options, stores.metrics};

    QVERIFY(support::waitUntil([&] { return reader.runOnce({}) && consumers(stores) == 1; }, 20s));

    QVERIFY(support::waitUntil([&] { return reader.runOnce({}) && stores.pending() == 0; }, 10s));
}

void TstStreamTakeover::deletedEntriesDoNotStopTheTakeover()
{
    StreamStores stores{*m_stack};
    stores.enqueue(5);
    stores.endEvents();
    Relay relay{stores.relayOptions(), stores.alerter, stores.metrics};
    QCOMPARE(relayAll(relay), 5);
    readAsDead(stores, "dead", 5);
    age(stores, "dead", 1, 5, "61000");
    (void)stores.command({"XDEL", "payments:events", "1-0", "3-0"});
    StreamReader reader{stores.readerOptions("alive"), stores.metrics};

    QVERIFY(support::waitUntil([&] { return reader.runOnce({}) && stores.pending() == 0; }, 10s));
}

void TstStreamTakeover::deliveredThreeTimesIsASuspect()
{
    StreamStores stores{*m_stack};
    stores.log(10); // so that event and log numbers differ from here on
    stores.database.run("DELETE FROM event_queue");
    stores.log(1, "payment.failed");
    stores.enqueue(3);
    Relay relay{stores.relayOptions(), stores.alerter, stores.metrics};
    QCOMPARE(relayAll(relay), 14);
    readAsDead(stores, "dead", 14);
    stores.acknowledge("balance_updaters", 1, 11);
    // 13 was delivered to two who died of it, the others to one.
    (void)stores.command(
        {"XCLAIM", "payments:events", "balance_updaters", "dead", "0", "13-0", "RETRYCOUNT", "2"});
    age(stores, "dead", 12, 14, "61000");
    std::map<std::int64_t, std::int64_t> suspects;
    auto options = stores.readerOptions("alive");
    options.onSuspects = [&suspects](std::span<const SuspectEntry> entries) {
        for (const SuspectEntry& entry : entries) suspects[entry.eventNo] = entry.deliveries;
    };
    StreamReader reader{options, stores.metrics};

    QVERIFY(reader.runOnce({}));

    QCOMPARE(suspects, (std::map<std::int64_t, std::int64_t>{{13, 3}}));
    QCOMPARE(reader.held(), std::size_t{3});
}

QTEST_GUILESS_MAIN(TstStreamTakeover)
#include "tst_stream_takeover.moc"
