#include "processor/dispatch/relay.h"
#include "tests/processor/dispatch/stream_stores.h"

#include <QTest>
#include <numeric>

using dispatch::Relay;
using dispatch::relayAll;
using dispatch::StreamStores;

// PostgreSQL went back in time, or somebody wrote into the stream: the stream is set aside and
// built anew from positions that lie before the point where the two parted.
class TstRelayDiverged : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { m_stack = std::make_unique<support::TestStack>(); }
    void logRestoredBelowTheStream();
    void logThatWentAnotherWayUnderTheSameNumbers();
    void positionsOfAForeignStreamAreNotStored();
    void foreignEntryIsSetAside();
    void deathBetweenNewEpochAndRenamingIsMended();
    void oldEpochIsNotAppended();
    void deletedLastEntryIsNoDivergence();

private:
    void readAndAcknowledge(StreamStores& stores, std::int64_t upTo) const
    {
        for (const char* group : {"balance_updaters", "notifiers", "analytics"}) {
            (void)stores.readAll(group);
            stores.acknowledge(group, 1, upTo);
        }
    }
    static std::int64_t streamsAside(StreamStores& stores)
    {
        return static_cast<std::int64_t>(
            stores.command({"KEYS", "payments:events:diverged:*"}).items.size());
    }
    std::unique_ptr<support::TestStack> m_stack;
};

void TstRelayDiverged::logRestoredBelowTheStream()
{
    StreamStores stores{*m_stack};
    stores.log(80);
    Relay relay{stores.relayOptions(), stores.alerter, stores.metrics};
    QCOMPARE(relayAll(relay), 80);
    readAndAcknowledge(stores, 50);
    QVERIFY(relay.upkeep()); // positions 50, also in the backup
    const auto epoch = stores.database.value("SELECT left(epoch::text, 8) FROM log_tail");
    stores.log(20);
    QCOMPARE(relayAll(relay), 20);
    readAndAcknowledge(stores, 100);
    stores.database.run("DELETE FROM payment_log WHERE no > 80"); // the restore

    QVERIFY(relay.upkeep());

    QCOMPARE(stores.alertKeys(), std::vector<std::string>{"log_diverged"});
    QVERIFY(stores.database.value("SELECT left(epoch::text, 8) FROM log_tail") != epoch);
    QCOMPARE(streamsAside(stores), 1);
    stores.log(7);
    QCOMPARE(relayAll(relay), 37);
    QCOMPARE(stores.differenceFrom(51), "");
    QCOMPARE(stores.readAll("notifiers").size(), std::size_t{37});
}

void TstRelayDiverged::logThatWentAnotherWayUnderTheSameNumbers()
{
    StreamStores stores{*m_stack};
    stores.log(40);
    Relay relay{stores.relayOptions(), stores.alerter, stores.metrics};
    QCOMPARE(relayAll(relay), 40);
    readAndAcknowledge(stores, 40);
    QVERIFY(relay.upkeep());
    stores.log(20);
    QCOMPARE(relayAll(relay), 20);
    readAndAcknowledge(stores, 60); // seen, and never stored
    stores.database.run("DELETE FROM payment_log WHERE no > 45");
    stores.log(30); // 46…75 are other lines than the stream's

    QVERIFY(relay.upkeep());
    QCOMPARE(relayAll(relay), 35);

    QCOMPARE(stores.differenceFrom(41), "");
    std::vector<std::int64_t> expected(35);
    std::iota(expected.begin(), expected.end(), 41);
    for (const char* group : {"balance_updaters", "notifiers", "analytics"}) {
        QVERIFY2(stores.readAll(group) == expected, group);
    }
    QCOMPARE(stores.alertKeys(), std::vector<std::string>{"log_diverged"});
}

void TstRelayDiverged::positionsOfAForeignStreamAreNotStored()
{
    StreamStores stores{*m_stack};
    stores.log(40);
    Relay relay{stores.relayOptions(), stores.alerter, stores.metrics};
    QCOMPARE(relayAll(relay), 40);
    readAndAcknowledge(stores, 30);
    QVERIFY(relay.upkeep());
    readAndAcknowledge(stores, 40);
    dispatch::Stream stream{stores.relayOptions().redis, "payments:events"};
    const auto view = stream.look(); // looked at, and then the failover comes
    stores.database.run("DELETE FROM payment_log WHERE no > 35");
    stores.log(10);
    dispatch::StreamPositions positions{stream, stores.alerter, stores.metrics, 1'000};
    auto connection = stores.database.connect("countersign_processor");

    QVERIFY(positions.keep(connection, *view, 40));

    QCOMPARE(stores.database.value("SELECT max(low) FROM stream_positions"), "30");
}

void TstRelayDiverged::foreignEntryIsSetAside()
{
    StreamStores stores{*m_stack};
    stores.log(10);
    Relay relay{stores.relayOptions(), stores.alerter, stores.metrics};
    QCOMPARE(relayAll(relay), 10);
    (void)stores.command({"XADD", "payments:events", "*", "hello", "world"});
    stores.log(5);

    QCOMPARE(relayAll(relay), 15);

    QCOMPARE(stores.differenceFrom(1), "");
    QCOMPARE(streamsAside(stores), 1);
    QCOMPARE(stores.alertKeys(), std::vector<std::string>{"log_diverged"});
}

void TstRelayDiverged::deathBetweenNewEpochAndRenamingIsMended()
{
    StreamStores stores{*m_stack};
    stores.log(10);
    Relay relay{stores.relayOptions(), stores.alerter, stores.metrics};
    QCOMPARE(relayAll(relay), 10);
    stores.database.run("UPDATE log_tail SET epoch = gen_random_uuid()");
    stores.log(5);

    QCOMPARE(relayAll(relay), 15);

    QCOMPARE(stores.differenceFrom(1), "");
    QCOMPARE(streamsAside(stores), 1);
}

void TstRelayDiverged::oldEpochIsNotAppended()
{
    StreamStores stores{*m_stack};
    stores.log(5);
    Relay relay{stores.relayOptions(), stores.alerter, stores.metrics};
    QCOMPARE(relayAll(relay), 5);
    stores.log(2);
    auto lines = stores.linesFrom(6);
    for (auto& line : lines) line.epoch = "00000000"; // read before another relay began anew
    dispatch::Stream stream{stores.relayOptions().redis, "payments:events"};

    const auto answer = stream.append(5, lines);

    QVERIFY(answer && !answer->isWritten);
    QCOMPARE(stores.streamLength(), 5);
}

void TstRelayDiverged::deletedLastEntryIsNoDivergence()
{
    StreamStores stores{*m_stack};
    stores.log(10);
    Relay relay{stores.relayOptions(), stores.alerter, stores.metrics};
    QCOMPARE(relayAll(relay), 10);
    (void)stores.command({"XDEL", "payments:events", "10-0"});
    stores.log(1);

    QVERIFY(relay.upkeep());
    QCOMPARE(relayAll(relay), 1);
    (void)stores.command({"XTRIM", "payments:events", "MAXLEN", "0"});
    QVERIFY(relay.upkeep());
    stores.log(1);
    QCOMPARE(relayAll(relay), 1);

    QCOMPARE(stores.differenceFrom(12), "");
    QVERIFY(stores.alertKeys().empty());
}

QTEST_GUILESS_MAIN(TstRelayDiverged)
#include "tst_relay_diverged.moc"
