#include "processor/dispatch/consumer_janitor.h"
#include "processor/dispatch/relay.h"
#include "processor/dispatch/stream_reader.h"
#include "tests/processor/dispatch/stream_stores.h"
#include "tests/support/require.h"

#include <QTest>
#include <chrono>

using namespace std::chrono_literals;
using dispatch::ConsumerJanitor;
using dispatch::Relay;
using dispatch::relayAll;
using dispatch::StreamReader;
using dispatch::StreamStores;

// What dead consumers hold goes to a living one, and they themselves go; nothing is lost.
class TstConsumerJanitor : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { m_stack = std::make_unique<support::TestStack>(); }
    void namesOfInstancesAreKnown_data();
    void namesOfInstancesAreKnown();
    void aDeadConsumersEntriesGoToALivingOne();
    void whoIsDeadAndWhoIsNot_data();
    void whoIsDeadAndWhoIsNot();
    void withoutALivingOneTheJanitorKeepsThem();
    void moreThanAPageIsClaimed();
    void thousandRestartsLeaveNobody();
    void withoutAStreamThereIsNothingToDo();
    void whatWasTakenOverIsAcknowledgedByTheReader();

private:
    static std::string instance(int number)
    {
        return "host:0123abcd:" + std::to_string(number) + ":1";
    }
    static void read(StreamStores& stores, const std::string& consumer, int count,
        const std::string& group = "balance_updaters")
    {
        (void)stores.command({"XREADGROUP", "GROUP", group, consumer, "COUNT",
            std::to_string(count), "STREAMS", "payments:events", ">"});
    }
    // "name:pending" of each consumer, sorted by Redis.
    static QString consumers(StreamStores& stores, const std::string& group = "balance_updaters")
    {
        QStringList names;
        for (const auto& raw :
            stores.command({"XINFO", "CONSUMERS", "payments:events", group}).items) {
            names << QString::fromStdString(raw.items[1].text) + ":"
                    + QString::number(raw.items[3].integer);
        }
        names.sort();
        return names.join(' ');
    }
    std::unique_ptr<StreamStores> storesWith(int lines)
    {
        auto stores = std::make_unique<StreamStores>(*m_stack);
        stores->log(lines);
        Relay relay{stores->relayOptions(), stores->alerter, stores->metrics};
        relayAll(relay);
        return stores;
    }
    static dispatch::SweepReport sweep(StreamStores& stores, const std::set<std::string>& live,
        std::chrono::milliseconds silence = 0ms)
    {
        ConsumerJanitor janitor{{.url = stores.redis->url()}, silence};
        return support::require(janitor.sweep(live));
    }

    std::unique_ptr<support::TestStack> m_stack;
};

void TstConsumerJanitor::namesOfInstancesAreKnown_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("isOne");

    QTest::newRow("an instance") << "host:ab4427cc:18606:716658" << true;
    QTest::newRow("a host with colons") << "fe80::1:ab4427cc:18606:716658" << true;
    QTest::newRow("no host") << ":ab4427cc:18606:716658" << false;
    QTest::newRow("a boot id too short") << "host:ab4427c:18606:716658" << false;
    QTest::newRow("a pid that is none") << "host:ab4427cc:x:716658" << false;
    QTest::newRow("no start") << "host:ab4427cc:18606:" << false;
    QTest::newRow("a name people chose") << "bookkeeping" << false;
    QTest::newRow("the janitor") << "janitor" << false;
    QTest::newRow("nothing") << "" << false;
}

void TstConsumerJanitor::namesOfInstancesAreKnown()
{
    QFETCH(QString, name);
    QFETCH(bool, isOne);
    QCOMPARE(dispatch::isInstanceName(name.toStdString()), isOne);
}

void TstConsumerJanitor::aDeadConsumersEntriesGoToALivingOne()
{
    const auto stores = storesWith(10);
    read(*stores, instance(1), 4);
    read(*stores, instance(2), 3);
    read(*stores, instance(3), 1);

    const auto report = sweep(*stores, {instance(2), instance(3)});

    QCOMPARE(report.claimed, 4);
    QCOMPARE(report.removed, 1);
    // To the one with the least to do.
    QCOMPARE(consumers(*stores), "host:0123abcd:2:1:3 host:0123abcd:3:1:5");
    QCOMPARE(stores->pending(), 8);
    QCOMPARE(sweep(*stores, {instance(2), instance(3)}).text(), std::string{});
}

void TstConsumerJanitor::whoIsDeadAndWhoIsNot_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("beats");
    QTest::addColumn<int>("silence"); // milliseconds that make silent
    QTest::addColumn<bool>("stays");

    const QString one = QString::fromStdString(instance(1));
    QTest::newRow("no heartbeat and silent") << one << false << 0 << false;
    QTest::newRow("a heartbeat, but silent") << one << true << 0 << true;
    QTest::newRow("no heartbeat, but it reads on") << one << false << 60'000 << true;
    QTest::newRow("somebody else's reader") << "bookkeeping" << false << 0 << true;
}

void TstConsumerJanitor::whoIsDeadAndWhoIsNot()
{
    QFETCH(QString, name);
    QFETCH(bool, beats);
    QFETCH(int, silence);
    QFETCH(bool, stays);
    const auto stores = storesWith(5);
    read(*stores, name.toStdString(), 2);
    read(*stores, instance(9), 1);
    std::set<std::string> live{instance(9)};
    if (beats) live.insert(name.toStdString());

    const auto report = sweep(*stores, live, std::chrono::milliseconds{silence});

    QCOMPARE(report.removed, stays ? 0 : 1);
    QCOMPARE(consumers(*stores).contains(name + ":2"), stays);
    QCOMPARE(stores->pending(), 3);
}

void TstConsumerJanitor::withoutALivingOneTheJanitorKeepsThem()
{
    const auto stores = storesWith(10);
    read(*stores, instance(1), 3);
    read(*stores, instance(2), 2);

    QCOMPARE(sweep(*stores, {}).removed, 2);
    QCOMPARE(consumers(*stores), "janitor:5");
    QCOMPARE(sweep(*stores, {}).text(), std::string{});

    // Until one is there.
    read(*stores, instance(3), 1);
    QCOMPARE(sweep(*stores, {instance(3)}).claimed, 5);
    QCOMPARE(consumers(*stores), "host:0123abcd:3:1:6");
}

void TstConsumerJanitor::moreThanAPageIsClaimed()
{
    const auto stores = storesWith(1'202);
    read(*stores, instance(1), 1'201);
    read(*stores, instance(2), 1);

    QCOMPARE(sweep(*stores, {instance(2)}).claimed, 1'201);

    QCOMPARE(consumers(*stores), "host:0123abcd:2:1:1202");
}

void TstConsumerJanitor::thousandRestartsLeaveNobody()
{
    const auto stores = storesWith(1'100);
    for (int number = 0; number < 1'000; ++number) {
        for (const char* group : {"balance_updaters", "notifiers"}) {
            read(*stores, instance(number), 1, group);
        }
    }
    QCOMPARE(consumers(*stores).count(' '), 999);

    const auto report = sweep(*stores, {instance(999)});

    QCOMPARE(report.removed, 2 * 999);
    QCOMPARE(report.claimed, 2 * 999);
    QCOMPARE(consumers(*stores), "host:0123abcd:999:1:1000");
    QCOMPARE(consumers(*stores, "notifiers"), "host:0123abcd:999:1:1000");
}

void TstConsumerJanitor::withoutAStreamThereIsNothingToDo()
{
    StreamStores stores{*m_stack};
    QCOMPARE(sweep(stores, {}).text(), std::string{});
}

void TstConsumerJanitor::whatWasTakenOverIsAcknowledgedByTheReader()
{
    StreamStores stores{*m_stack};
    stores.enqueue(20);
    Relay relay{stores.relayOptions(), stores.alerter, stores.metrics};
    relayAll(relay);
    read(stores, instance(1), 20);
    auto options = stores.readerOptions(instance(2));
    options.block = 1ms;
    options.claimAfter = base::kStreamIdleClaim;
    StreamReader reader{options, stores.metrics};
    support::require(reader.runOnce({})); // it is there, and has nothing
    stores.endEvents();

    QCOMPARE(sweep(stores, {instance(2)}).claimed, 20);

    // Its next look for idle entries is a quarter of a minute away: another reader's is at once.
    StreamReader next{stores.readerOptions(instance(3)), stores.metrics};
    QTRY_COMPARE((support::require(next.runOnce({})), stores.pending()), 0);
}

QTEST_GUILESS_MAIN(TstConsumerJanitor)
#include "tst_consumer_janitor.moc"
