#include "processor/dispatch/wake_listener.h"
#include "processor/dispatch/wake_sender.h"
#include "tests/support/pgbouncer.h"
#include "tests/support/require.h"
#include "tests/support/stack.h"
#include "tests/support/wait.h"

#include <QTest>
#include <chrono>
#include <thread>

using namespace std::chrono_literals;
using dispatch::WakeListener;
using dispatch::WakeSender;

// Hints between processes: fast when they arrive, harmless when they do not.
class TstWake : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { m_stack = std::make_unique<support::TestStack>(); }
    void init() { m_database = std::make_unique<support::Database>(m_stack->createDatabase()); }
    void notificationWakesTheOthers();
    void nobodyListensThroughAPooler();
    void everybodyIsWokenAfterAReconnect();
    void manyRequestsMakeFewNotifications();
    void nobodyElseMeansNoNotification();

private:
    pg::ConnectOptions connect() const
    {
        pg::ConnectOptions options;
        options.url = m_database->url();
        options.user = "countersign_processor";
        return options;
    }
    void endProcessorConnections()
    {
        m_database->run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = "
                        "'countersign_processor' AND datname = current_database()");
    }
    std::unique_ptr<support::TestStack> m_stack;
    std::unique_ptr<support::Database> m_database;
};

void TstWake::notificationWakesTheOthers()
{
    base::Wakeup first;
    base::Wakeup second;
    WakeListener listener{connect(), {&first, &second}};
    QCOMPARE(*listener.runOnce(1ms), false); // begins to listen
    (void)first.waitFor(0s, {});
    (void)second.waitFor(0s, {});
    WakeSender sender{connect()};

    QVERIFY(sender.runOnce());

    QCOMPARE(*listener.runOnce(10s), true);
    QVERIFY(first.waitFor(0s, {}));
    QVERIFY(second.waitFor(0s, {}));
    QCOMPARE(*listener.runOnce(1ms), false);
    QVERIFY(!first.waitFor(0s, {}));
}

// The session behind it would listen on, for clients that never asked and never read.
void TstWake::nobodyListensThroughAPooler()
{
    const auto pooler = support::require(support::PgBouncer::start(m_database->url(), 1));
    const pg::ConnectOptions pooled{.url = pooler->url(), .user = "countersign_processor"};
    base::Wakeup wakeup;
    WakeListener listener{pooled, {&wakeup}};

    QCOMPARE(*listener.runOnce(1ms), false);

    auto next = support::require(pg::Connection::open(pooled));
    const auto channels = next.run({"test", "SELECT count(*) FROM pg_listening_channels()"});
    QVERIFY(channels);
    QCOMPARE(channels->bigint(0, 0), 0); // the only session there is

    WakeListener direct{connect(), {&wakeup}};
    QCOMPARE(*direct.runOnce(1ms), false);
    QVERIFY(WakeSender{pooled}.runOnce());
    QCOMPARE(*direct.runOnce(10s), true);
}

void TstWake::everybodyIsWokenAfterAReconnect()
{
    base::Wakeup wakeup;
    WakeListener listener{connect(), {&wakeup}};
    QVERIFY(listener.runOnce(1ms));
    QVERIFY(wakeup.waitFor(0s, {}));
    endProcessorConnections();

    QVERIFY(support::waitUntil([&] { return !listener.runOnce(10ms); }, 10s));
    QVERIFY(support::waitUntil([&] { return static_cast<bool>(listener.runOnce(10ms)); }, 10s));

    QVERIFY(wakeup.waitFor(0s, {})); // something may have been missed
}

void TstWake::manyRequestsMakeFewNotifications()
{
    base::Progress progress;
    base::Wakeup wakeup;
    auto& pulse = progress.add("wake-out", 10s);
    WakeListener listener{connect(), {&wakeup}};
    QVERIFY(listener.runOnce(1ms));
    WakeSender sender{connect()};
    std::jthread thread{[&](const std::stop_token& stop) { sender.run(stop, pulse); }};

    const auto begun = std::chrono::steady_clock::now();
    for (int i = 0; i < 10'000; ++i) sender.wakeOthers();
    QCOMPARE(*listener.runOnce(10s), true);
    int heard = 1;
    while (*listener.runOnce(100ms)) ++heard;

    const auto took = std::chrono::steady_clock::now() - begun;
    QVERIFY2(heard <= 1 + took / 5ms, std::to_string(heard).c_str());
    QVERIFY(heard < 1'000);
}

void TstWake::nobodyElseMeansNoNotification()
{
    base::Progress progress;
    base::Wakeup wakeup;
    auto& pulse = progress.add("wake-out", 10s);
    WakeListener listener{connect(), {&wakeup}};
    QVERIFY(listener.runOnce(1ms));
    WakeSender sender{connect()};
    std::jthread thread{[&](const std::stop_token& stop) { sender.run(stop, pulse); }};
    sender.setHasOthers(false);

    sender.wakeOthers();

    QCOMPARE(*listener.runOnce(100ms), false);
    sender.setHasOthers(true);
    sender.wakeOthers();
    QCOMPARE(*listener.runOnce(10s), true);
}

QTEST_GUILESS_MAIN(TstWake)
#include "tst_wake.moc"
