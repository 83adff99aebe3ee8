#include "processor/dispatch/relay.h"
#include "tests/processor/dispatch/stream_stores.h"

#include <QTest>

using dispatch::Relay;
using dispatch::relayAll;
using dispatch::StreamStores;

// The stream is trimmed to what every group has acknowledged and PostgreSQL knows of, exactly.
class TstStreamPositions : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { m_stack = std::make_unique<support::TestStack>(); }
    void trimsExactlyToTheLowestGroup();
    void groupThatReadsNothingKeepsEverything();
    void groupOfSomebodyElseCounts();
    void nothingIsTrimmedWhenTheStoreFails();
    void blockingGroupIsNamed();
    void bigBacklogIsTrimmedInSteps();

private:
    static std::string firstId(StreamStores& stores)
    {
        const auto reply = stores.command({"XRANGE", "payments:events", "-", "+", "COUNT", "1"});
        return reply.items.empty() ? "" : reply.items[0].items[0].text;
    }
    std::unique_ptr<support::TestStack> m_stack;
};

void TstStreamPositions::trimsExactlyToTheLowestGroup()
{
    StreamStores stores{*m_stack};
    stores.log(100);
    Relay relay{stores.relayOptions(), stores.alerter, stores.metrics};
    QCOMPARE(relayAll(relay), 100);
    for (const char* group : {"balance_updaters", "notifiers", "analytics"}) {
        (void)stores.readAll(group);
    }
    stores.acknowledge("balance_updaters", 1, 100);
    stores.acknowledge("notifiers", 1, 77);
    stores.acknowledge("analytics", 1, 100);

    QCOMPARE(*relay.upkeep(), 76);

    // The entry at the position stays, so that the stream's end can always be compared.
    QCOMPARE(firstId(stores), "77-0");
    QCOMPARE(stores.database.table("SELECT group_name, low FROM stream_positions ORDER BY 1"),
        "(analytics,100)\n(balance_updaters,100)\n(notifiers,77)");
    stores.acknowledge("notifiers", 78, 100);
    QCOMPARE(*relay.upkeep(), 23);
    QCOMPARE(stores.streamLength(), 1);
    stores.log(3);
    QCOMPARE(relayAll(relay), 3);
    QCOMPARE(stores.differenceFrom(100), "");
}

void TstStreamPositions::groupThatReadsNothingKeepsEverything()
{
    StreamStores stores{*m_stack};
    stores.log(50);
    Relay relay{stores.relayOptions(), stores.alerter, stores.metrics};
    QCOMPARE(relayAll(relay), 50);
    (void)stores.readAll("balance_updaters");
    stores.acknowledge("balance_updaters", 1, 50);
    (void)stores.readAll("notifiers");
    stores.acknowledge("notifiers", 1, 50);

    QCOMPARE(*relay.upkeep(), 0);

    QCOMPARE(stores.streamLength(), 50);
    QCOMPARE(stores.readAll("analytics").size(), std::size_t{50});
}

void TstStreamPositions::groupOfSomebodyElseCounts()
{
    StreamStores stores{*m_stack};
    stores.log(50);
    Relay relay{stores.relayOptions(), stores.alerter, stores.metrics};
    QCOMPARE(relayAll(relay), 50);
    (void)stores.command({"XGROUP", "CREATE", "payments:events", "fraud", "9-0"});
    for (const char* group : {"balance_updaters", "notifiers", "analytics"}) {
        (void)stores.readAll(group);
        stores.acknowledge(group, 1, 50);
    }

    QCOMPARE(*relay.upkeep(), 8);

    QCOMPARE(firstId(stores), "9-0");
}

void TstStreamPositions::nothingIsTrimmedWhenTheStoreFails()
{
    StreamStores stores{*m_stack};
    stores.log(50);
    Relay relay{stores.relayOptions(), stores.alerter, stores.metrics};
    QCOMPARE(relayAll(relay), 50);
    for (const char* group : {"balance_updaters", "notifiers", "analytics"}) {
        (void)stores.readAll(group);
        stores.acknowledge(group, 1, 50);
    }
    stores.database.run("REVOKE INSERT, UPDATE ON stream_positions FROM countersign_processor");

    QVERIFY(!relay.upkeep());

    QCOMPARE(stores.streamLength(), 50);
}

void TstStreamPositions::blockingGroupIsNamed()
{
    StreamStores stores{*m_stack};
    stores.log(50);
    auto options = stores.relayOptions();
    options.trimBlockedEntries = 20;
    Relay relay{options, stores.alerter, stores.metrics};
    QCOMPARE(relayAll(relay), 50);
    for (const char* group : {"balance_updaters", "analytics"}) {
        (void)stores.readAll(group);
        stores.acknowledge(group, 1, 50);
    }

    QVERIFY(relay.upkeep());

    QCOMPARE(stores.alertKeys(), std::vector<std::string>{"stream_trim_blocked:notifiers"});
    const auto text = stores.metrics.renderMetrics();
    QVERIFY(text.find("countersign_stream_group_lag{group=\"notifiers\"} 50") != std::string::npos);
    QVERIFY(text.find("countersign_stream_group_lag{group=\"analytics\"} 0") != std::string::npos);
}

void TstStreamPositions::bigBacklogIsTrimmedInSteps()
{
    StreamStores stores{*m_stack};
    stores.log(1);
    Relay relay{stores.relayOptions(), stores.alerter, stores.metrics};
    QCOMPARE(relayAll(relay), 1);
    // 120,000 entries of the same shape behind the first.
    (void)stores.command({"EVAL",
        "local f = redis.call('XRANGE', KEYS[1], '-', '+')[1][2] "
        "for i = 2, 120000 do redis.call('XADD', KEYS[1], i .. '-0', unpack(f)) end",
        "1", "payments:events"});
    dispatch::Stream stream{stores.relayOptions().redis, "payments:events"};
    const auto view = stream.look();
    stores.database.run("UPDATE stream_positions SET low = 119990");
    dispatch::StreamPositions positions{stream, stores.alerter, stores.metrics, 1'000'000};
    auto connection = stores.database.connect("countersign_processor");

    const auto dropped = positions.keep(connection, *view, 120'000);

    QVERIFY(dropped);
    QCOMPARE(*dropped, 119'989);
    QCOMPARE(stores.streamLength(), 11);
}

QTEST_GUILESS_MAIN(TstStreamPositions)
#include "tst_stream_positions.moc"
