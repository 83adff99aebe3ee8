#include "processor/dispatch/relay.h"
#include "tests/processor/dispatch/stream_stores.h"
#include "tests/support/wait.h"

#include <QTest>
#include <filesystem>
#include <numeric>
#include <set>
#include <thread>

using namespace std::chrono_literals;
using dispatch::Relay;
using dispatch::relayAll;
using dispatch::StreamStores;

namespace {

std::vector<std::int64_t> numbers(std::int64_t first, std::int64_t last)
{
    std::vector<std::int64_t> all(static_cast<std::size_t>(last - first + 1));
    std::iota(all.begin(), all.end(), first);
    return all;
}

} // namespace

// A Redis that was wiped, rolled back or tampered with is brought back in line; nothing is skipped.
class TstRelayRebuild : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { m_stack = std::make_unique<support::TestStack>(); }
    void wipedStreamBeginsAfterTheLowestPosition();
    void wipedTwentyTimesUnderLoad();
    void wipedBeforeAnythingWasStoredBeginsAtTheStart();
    void rolledBackToAnOlderFileGoesOnFromThere();
    void deletedGroupComesBackAtItsStoredPosition();
    void groupOfSomebodyElseIsRebuiltToo();
    void logThatLostItsBeginningIsNotWaitedFor();

private:
    std::unique_ptr<support::TestStack> m_stack;
};

void TstRelayRebuild::wipedStreamBeginsAfterTheLowestPosition()
{
    StreamStores stores{*m_stack};
    stores.log(100);
    Relay relay{stores.relayOptions(), stores.alerter, stores.metrics};
    QCOMPARE(relayAll(relay), 100);
    for (const char* group : {"balance_updaters", "notifiers", "analytics"}) {
        QCOMPARE(stores.readAll(group).size(), std::size_t{100});
    }
    stores.acknowledge("balance_updaters", 1, 90);
    stores.acknowledge("notifiers", 1, 40);
    stores.acknowledge("notifiers", 42, 100); // 41 is missing: it is what counts
    stores.acknowledge("analytics", 1, 100);
    QVERIFY(relay.upkeep());
    (void)stores.command({"FLUSHALL"});
    stores.log(10);

    QCOMPARE(relayAll(relay), 70);

    QCOMPARE(stores.differenceFrom(41), "");
    QCOMPARE(stores.readAll("balance_updaters"), numbers(91, 110));
    QCOMPARE(stores.readAll("notifiers"), numbers(41, 110));
    QCOMPARE(stores.readAll("analytics"), numbers(101, 110));
    QVERIFY(stores.alertKeys().empty());
}

void TstRelayRebuild::wipedTwentyTimesUnderLoad()
{
    StreamStores stores{*m_stack};
    base::Progress progress;
    base::Wakeup wakeup;
    auto options = stores.relayOptions();
    options.upkeepEvery = 30ms;
    Relay relay{options, stores.alerter, stores.metrics};
    std::jthread thread{
        [&](const std::stop_token& stop) { relay.run(stop, wakeup, progress.add("relay", 10s)); }};

    std::set<std::int64_t> seen;
    for (int wipe = 0; wipe < 20; ++wipe) {
        stores.log(200);
        wakeup.notify();
        const std::int64_t last = 200 * (wipe + 1);
        QVERIFY(support::waitUntil([&] { return relay.lastRelayed() > last - 150; }, 20s));
        // Some are read and acknowledged, some only read, some not even that.
        for (const std::int64_t number : stores.readAll("analytics")) seen.insert(number);
        stores.acknowledge("analytics", 1, last - 170);
        (void)stores.command({"FLUSHALL"});
    }

    QVERIFY(support::waitUntil([&] { return stores.streamLength() == 4'000; }, 20s));
    thread.request_stop();
    thread.join();
    for (const std::int64_t number : stores.readAll("analytics")) seen.insert(number);
    QCOMPARE(seen.size(), std::size_t{4'000});
    QCOMPARE(stores.differenceFrom(1), ""); // notifiers have acknowledged nothing
    QCOMPARE(stores.readAll("notifiers"), numbers(1, 4'000));
    QVERIFY(stores.alertKeys().empty());
}

void TstRelayRebuild::wipedBeforeAnythingWasStoredBeginsAtTheStart()
{
    StreamStores stores{*m_stack};
    stores.log(30);
    {
        Relay relay{stores.relayOptions(), stores.alerter, stores.metrics};
        QCOMPARE(relayAll(relay), 30);
    }
    (void)stores.command({"FLUSHALL"});

    Relay relay{stores.relayOptions(), stores.alerter, stores.metrics};

    QCOMPARE(relayAll(relay), 30);
    QCOMPARE(stores.differenceFrom(1), "");
}

void TstRelayRebuild::rolledBackToAnOlderFileGoesOnFromThere()
{
    namespace fs = std::filesystem;
    StreamStores stores{*m_stack, {"--appendonly", "yes", "--appendfsync", "always"}};
    Relay relay{stores.relayOptions(), stores.alerter, stores.metrics};
    stores.log(50);
    QCOMPARE(relayAll(relay), 50);
    QCOMPARE(stores.readAll("balance_updaters").size(), std::size_t{50});
    stores.redis->kill();
    const fs::path live = fs::path{stores.redis->folder()} / "appendonlydir";
    const fs::path old = fs::path{stores.redis->folder()} / "older";
    fs::copy(live, old);
    QVERIFY(stores.redis->restart());
    stores.log(70);
    QCOMPARE(relayAll(relay), 70);
    QCOMPARE(stores.readAll("balance_updaters").size(), std::size_t{70});
    stores.acknowledge("balance_updaters", 1, 120);
    QVERIFY(relay.upkeep());
    stores.redis->kill();
    fs::remove_all(live);
    fs::rename(old, live);
    QVERIFY(stores.redis->restart());
    stores.log(5);

    QCOMPARE(relayAll(relay), 75);

    QCOMPARE(stores.differenceFrom(1), "");
    QCOMPARE(stores.pending(), 50); // acknowledged once before; acknowledging again is harmless
    QCOMPARE(stores.readAll("balance_updaters"), numbers(51, 125));
    QVERIFY(relay.upkeep());
    QCOMPARE(stores.database.value(
                 "SELECT low FROM stream_positions WHERE group_name = 'balance_updaters'"),
        "120"); // what was proved once stays proved
    QVERIFY(stores.alertKeys().empty());
}

void TstRelayRebuild::deletedGroupComesBackAtItsStoredPosition()
{
    StreamStores stores{*m_stack};
    stores.log(60);
    Relay relay{stores.relayOptions(), stores.alerter, stores.metrics};
    QCOMPARE(relayAll(relay), 60);
    QCOMPARE(stores.readAll("notifiers").size(), std::size_t{60});
    stores.acknowledge("notifiers", 1, 25);
    QVERIFY(relay.upkeep());
    (void)stores.command({"XGROUP", "DESTROY", "payments:events", "notifiers"});
    stores.log(5);
    QCOMPARE(relayAll(relay), 5);

    QVERIFY(relay.upkeep());

    QCOMPARE(stores.readAll("notifiers"), numbers(26, 65));
    QCOMPARE(stores.readAll("analytics"), numbers(1, 65));
}

void TstRelayRebuild::groupOfSomebodyElseIsRebuiltToo()
{
    StreamStores stores{*m_stack};
    stores.log(20);
    Relay relay{stores.relayOptions(), stores.alerter, stores.metrics};
    QCOMPARE(relayAll(relay), 20);
    (void)stores.command({"XGROUP", "CREATE", "payments:events", "fraud", "0"});
    QCOMPARE(stores.readAll("fraud").size(), std::size_t{20});
    stores.acknowledge("fraud", 1, 12);
    QVERIFY(relay.upkeep());
    (void)stores.command({"FLUSHALL"});

    QVERIFY(relay.upkeep());
    QCOMPARE(relayAll(relay), 20);

    QCOMPARE(stores.readAll("fraud"), numbers(13, 20));
}

void TstRelayRebuild::logThatLostItsBeginningIsNotWaitedFor()
{
    StreamStores stores{*m_stack};
    stores.log(40);
    stores.database.run("DELETE FROM payment_log WHERE no <= 30"); // an old partition, dropped
    Relay relay{stores.relayOptions(), stores.alerter, stores.metrics};

    QCOMPARE(relayAll(relay), 10);

    QCOMPARE(stores.differenceFrom(31), "");
    QCOMPARE(stores.readAll("analytics"), numbers(31, 40));
}

QTEST_GUILESS_MAIN(TstRelayRebuild)
#include "tst_relay_rebuild.moc"
