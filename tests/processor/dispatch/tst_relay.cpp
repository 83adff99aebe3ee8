#include "processor/dispatch/relay.h"
#include "tests/processor/dispatch/stream_stores.h"
#include "tests/support/fault_proxy.h"
#include "tests/support/wait.h"

#include <QTest>
#include <thread>

using namespace std::chrono_literals;
using dispatch::Relay;
using dispatch::relayAll;
using dispatch::StreamStores;
using Fault = support::FaultProxy::Fault;

// The log reaches the stream: in order, without gap or duplicate, whoever else writes or dies.
class TstRelay : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { m_stack = std::make_unique<support::TestStack>(); }
    void entriesAreTheLog();
    void emptyLogMakesStreamAndGroups();
    void eachGroupSeesEachNumber();
    void nothingNewWritesNothing();
    void twoRelaysAtOnceLeaveNoGapAndNoDuplicate();
    void answerLostAfterAppendIsNotAppendedTwice();
    void requestLostBeforeAppendIsAppendedOnce();
    void scriptRunTwiceWritesOnce();
    void redisAwayLosesNothing();
    void redisFrozenLosesNothing();
    void fullRedisWritesWholeBatchesOrNothing();
    void databaseAwayIsWaitedFor();
    void pausesAtTheLimitAndGoesOn();
    void gapInTheLogStopsInFrontOfIt();
    void runsUntilStopped();

private:
    std::unique_ptr<support::TestStack> m_stack;
};

void TstRelay::entriesAreTheLog()
{
    StreamStores stores{*m_stack};
    stores.log(7);
    stores.log(3, "payment.failed");
    Relay relay{stores.relayOptions(), stores.alerter, stores.metrics};

    QCOMPARE(relayAll(relay), 10);

    QCOMPARE(stores.differenceFrom(1), "");
    QCOMPARE(relay.lastRelayed(), 10);
    const auto third = stores.command({"XRANGE", "payments:events", "3-0", "3-0"});
    QStringList names;
    for (std::size_t i = 0; i < third.items[0].items[1].items.size(); i += 2) {
        names << QString::fromStdString(third.items[0].items[1].items[i].text);
    }
    QCOMPARE(names.join(' '),
        "event payment_id event_type user_id merchant_id asset amount trace_id at epoch");
}

void TstRelay::emptyLogMakesStreamAndGroups()
{
    StreamStores stores{*m_stack};
    Relay relay{stores.relayOptions(), stores.alerter, stores.metrics};

    QCOMPARE(relayAll(relay), 0);

    QCOMPARE(stores.command({"XINFO", "GROUPS", "payments:events"}).items.size(), std::size_t{3});
    QCOMPARE(stores.streamLength(), 0);
    stores.log(2);
    QCOMPARE(relayAll(relay), 2);
    QCOMPARE(stores.differenceFrom(1), "");
}

void TstRelay::eachGroupSeesEachNumber()
{
    StreamStores stores{*m_stack};
    stores.log(1'203);
    Relay relay{stores.relayOptions(), stores.alerter, stores.metrics};

    QCOMPARE(relayAll(relay), 1'203);

    std::vector<std::int64_t> all(1'203);
    std::iota(all.begin(), all.end(), 1);
    for (const char* group : {"balance_updaters", "notifiers", "analytics"}) {
        QVERIFY2(stores.readAll(group) == all, group);
    }
}

void TstRelay::nothingNewWritesNothing()
{
    StreamStores stores{*m_stack};
    stores.log(5);
    Relay relay{stores.relayOptions(), stores.alerter, stores.metrics};
    QCOMPARE(relayAll(relay), 5);

    QCOMPARE(relayAll(relay), 0);
    QVERIFY(relay.upkeep());
    QCOMPARE(relayAll(relay), 0);

    QCOMPARE(stores.differenceFrom(1), "");
}

void TstRelay::twoRelaysAtOnceLeaveNoGapAndNoDuplicate()
{
    StreamStores stores{*m_stack};
    base::Progress progress;
    std::vector<std::unique_ptr<base::Wakeup>> wakeups;
    std::vector<std::jthread> relays; // last: joined before what they use goes
    for (int i = 0; i < 2; ++i) {
        auto& wakeup = *wakeups.emplace_back(std::make_unique<base::Wakeup>());
        auto& pulse = progress.add("relay" + std::to_string(i), 10s);
        relays.emplace_back([&](const std::stop_token& stop) {
            Relay relay{stores.relayOptions(), stores.alerter, stores.metrics};
            relay.run(stop, wakeup, pulse);
        });
    }
    for (int i = 0; i < 100; ++i) {
        stores.log(40);
        for (auto& wakeup : wakeups) wakeup->notify();
    }

    QVERIFY(support::waitUntil([&] { return stores.streamLength() == 4'000; }, 20s));
    QCOMPARE(stores.differenceFrom(1), "");
    QVERIFY(stores.alertKeys().empty());
}

void TstRelay::answerLostAfterAppendIsNotAppendedTwice()
{
    StreamStores stores{*m_stack};
    support::TempFolder folder;
    support::FaultProxy proxy{folder.file("proxy.sock"), stores.redis->socketPath()};
    auto options = stores.relayOptions();
    options.redis.url = "unix://" + folder.file("proxy.sock");
    Relay relay{options, stores.alerter, stores.metrics};
    stores.log(3);
    QCOMPARE(relayAll(relay), 3);
    stores.log(4);
    proxy.arm(Fault::CutAfterAnswer, "pay-7");

    const auto lost = relay.runOnce();

    QVERIFY(!lost);
    QVERIFY(proxy.hasStruck());
    QCOMPARE(stores.streamLength(), 7);
    proxy.arm(Fault::None);
    QCOMPARE(relayAll(relay), 0);
    QCOMPARE(stores.differenceFrom(1), "");
}

void TstRelay::requestLostBeforeAppendIsAppendedOnce()
{
    StreamStores stores{*m_stack};
    support::TempFolder folder;
    support::FaultProxy proxy{folder.file("proxy.sock"), stores.redis->socketPath()};
    auto options = stores.relayOptions();
    options.redis.url = "unix://" + folder.file("proxy.sock");
    Relay relay{options, stores.alerter, stores.metrics};
    stores.log(3);
    QCOMPARE(relayAll(relay), 3);
    stores.log(4);
    proxy.arm(Fault::CutBefore, "pay-7");

    const auto lost = relay.runOnce();

    QVERIFY(!lost);
    QCOMPARE(stores.streamLength(), 3);
    proxy.arm(Fault::None);
    QCOMPARE(relayAll(relay), 4);
    QCOMPARE(stores.differenceFrom(1), "");
}

// What a relay that died between append and answer leaves behind: its successor sends the same.
void TstRelay::scriptRunTwiceWritesOnce()
{
    StreamStores stores{*m_stack};
    stores.log(5);
    Relay relay{stores.relayOptions(), stores.alerter, stores.metrics};
    QVERIFY(relay.upkeep()); // makes the stream
    dispatch::Stream stream{stores.relayOptions().redis, "payments:events"};
    const auto lines = stores.linesFrom(1);

    const auto first = stream.append(0, lines);
    const auto second = stream.append(0, lines);

    QVERIFY(first && first->isWritten);
    QVERIFY(second && !second->isWritten);
    QCOMPARE(second->lastGeneratedId, "5-0");
    QCOMPARE(stores.differenceFrom(1), "");
}

void TstRelay::redisAwayLosesNothing()
{
    StreamStores stores{*m_stack, {"--appendonly", "yes", "--appendfsync", "always"}};
    Relay relay{stores.relayOptions(), stores.alerter, stores.metrics};
    stores.log(20);
    QCOMPARE(relayAll(relay), 20);
    stores.redis->kill();
    stores.log(700);

    const auto away = relay.runOnce();

    QVERIFY(!away);
    QCOMPARE(away.error().kind, base::ErrorKind::Unavailable);
    QVERIFY(stores.redis->restart());
    QCOMPARE(relayAll(relay), 700);
    QCOMPARE(stores.differenceFrom(1), "");
}

void TstRelay::redisFrozenLosesNothing()
{
    StreamStores stores{*m_stack};
    auto options = stores.relayOptions();
    options.redis.commandTimeout = 200ms;
    Relay relay{options, stores.alerter, stores.metrics};
    stores.log(20);
    QCOMPARE(relayAll(relay), 20);
    stores.redis->freeze();
    stores.log(30);

    const auto late = relay.runOnce();

    QVERIFY(!late);
    stores.redis->thaw();
    // The frozen server runs the script it was sent, after the client gave up on it.
    QVERIFY(support::waitUntil([&] { return stores.streamLength() == 50; }, 5s));
    QCOMPARE(relayAll(relay), 0);
    QCOMPARE(stores.differenceFrom(1), "");
}

void TstRelay::fullRedisWritesWholeBatchesOrNothing()
{
    StreamStores stores{*m_stack};
    Relay relay{stores.relayOptions(), stores.alerter, stores.metrics};
    stores.log(500);
    QCOMPARE(relayAll(relay), 500);
    const auto used = stores.command({"EVAL",
        "return tonumber(string.match(redis.call('INFO','memory'), 'used_memory:(%d+)'))", "0"});
    (void)stores.command({"CONFIG", "SET", "maxmemory", std::to_string(used.integer + 150'000)});
    stores.log(5'000);

    std::int64_t relayed = 0;
    base::Result<dispatch::RelayStep> step = relay.runOnce();
    for (; step; step = relay.runOnce()) relayed += step->appended;

    QCOMPARE(step.error().code, "OOM");
    QVERIFY(relayed < 5'000);
    QCOMPARE(stores.streamLength(), 500 + relayed);
    (void)stores.command({"CONFIG", "SET", "maxmemory", "0"});
    QCOMPARE(relayAll(relay), 5'000 - relayed);
    QCOMPARE(stores.differenceFrom(1), "");
}

void TstRelay::databaseAwayIsWaitedFor()
{
    StreamStores stores{*m_stack};
    Relay relay{stores.relayOptions(), stores.alerter, stores.metrics};
    stores.log(2);
    QCOMPARE(relayAll(relay), 2);
    stores.log(2);
    stores.database.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = "
                        "'countersign_processor' AND datname = current_database()");

    const auto lost = relay.runOnce();

    QVERIFY(!lost);
    QCOMPARE(lost.error().kind, base::ErrorKind::Unavailable);
    QCOMPARE(relayAll(relay), 2);
    QCOMPARE(stores.differenceFrom(1), "");
}

void TstRelay::pausesAtTheLimitAndGoesOn()
{
    StreamStores stores{*m_stack};
    auto options = stores.relayOptions();
    options.entriesMax = 100;
    Relay relay{options, stores.alerter, stores.metrics};
    stores.log(250);

    QCOMPARE(relay.runOnce()->appended, 100);
    QVERIFY(relay.runOnce()->isPaused);
    QVERIFY(relay.upkeep());
    QVERIFY(relay.runOnce()->isPaused);

    QCOMPARE(stores.streamLength(), 100);
    QCOMPARE(stores.alertKeys(), std::vector<std::string>{"stream_full"});
    for (const char* group : {"balance_updaters", "notifiers", "analytics"}) {
        QCOMPARE(stores.readAll(group).size(), std::size_t{100});
        stores.acknowledge(group, 1, 60);
    }
    QCOMPARE(*relay.upkeep(), 59); // entry 60 stays: it is the position
    QCOMPARE(relay.runOnce()->appended, 59);
    QCOMPARE(stores.streamLength(), 100);
}

void TstRelay::gapInTheLogStopsInFrontOfIt()
{
    StreamStores stores{*m_stack};
    Relay relay{stores.relayOptions(), stores.alerter, stores.metrics};
    stores.log(10);
    stores.database.run("DELETE FROM payment_log WHERE no = 6");

    QCOMPARE(relay.runOnce()->appended, 5);
    const auto stopped = relay.runOnce();

    QVERIFY(!stopped);
    QCOMPARE(stopped.error().kind, base::ErrorKind::Corrupt);
    QCOMPARE(stores.streamLength(), 5);
    QCOMPARE(stores.alertKeys(), std::vector<std::string>{"log_gap"});
}

void TstRelay::runsUntilStopped()
{
    StreamStores stores{*m_stack};
    base::Progress progress;
    base::Wakeup wakeup;
    auto& pulse = progress.add("relay", 10s);
    Relay relay{stores.relayOptions(), stores.alerter, stores.metrics};
    std::jthread thread{[&](const std::stop_token& stop) { relay.run(stop, wakeup, pulse); }};

    stores.log(5);
    wakeup.notify();
    QVERIFY(support::waitUntil([&] { return relay.lastRelayed() == 5; }, 10s));
    stores.redis->kill();
    stores.log(5);
    QVERIFY(stores.redis->restart()); // empty
    QVERIFY(support::waitUntil([&] { return relay.lastRelayed() == 10; }, 10s));

    thread.request_stop();
    thread.join();
    QCOMPARE(stores.differenceFrom(1), "");
}

QTEST_GUILESS_MAIN(TstRelay)
#include "tst_relay.moc"
