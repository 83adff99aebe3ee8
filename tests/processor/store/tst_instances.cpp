#include "processor/store/instances.h"
#include "tests/support/stack.h"
#include "tests/support/wait.h"

#include <QTest>
#include <chrono>
#include <thread>
#include <unistd.h>

using namespace std::chrono_literals;

// Who is alive, judged by the server's clock.
class TstInstances : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { m_stack = std::make_unique<support::TestStack>(); }
    void init() { m_database = std::make_unique<support::Database>(m_stack->createDatabase()); }
    void identityNamesHostBootAndStart();
    void settlersAreCountedByThread();
    void silentOnesAreNotCounted();
    void whoLeavesIsGoneAndTheLongDeadToo();
    void beatsUntilStopped();

private:
    pg::ConnectOptions connect() const
    {
        pg::ConnectOptions options;
        options.url = m_database->url();
        options.user = "countersign_processor";
        return options;
    }
    static store::InstanceIdentity named(const std::string& name) { return {"host", "boot", name}; }

    std::unique_ptr<support::TestStack> m_stack;
    std::unique_ptr<support::Database> m_database;
};

void TstInstances::identityNamesHostBootAndStart()
{
    const auto identity = store::readInstanceIdentity();

    QVERIFY(identity);
    QCOMPARE(identity->bootId.size(), std::size_t{36});
    const auto parts = QString::fromStdString(identity->instance).split(':');
    QCOMPARE(parts.size(), 4);
    QCOMPARE(parts[0].toStdString(), identity->host);
    QCOMPARE(parts[1].toStdString(), identity->bootId.substr(0, 8));
    QCOMPARE(parts[2].toInt(), static_cast<int>(getpid()));
    QVERIFY(parts[3].toLongLong() > 0);
    QCOMPARE(store::readInstanceIdentity()->instance, identity->instance);
}

void TstInstances::settlersAreCountedByThread()
{
    auto connection = m_database->connect("countersign_processor");
    QVERIFY(store::beatInstance(connection, named("a"), {"ingest", "settle", "settle"}, "1"));
    QVERIFY(store::beatInstance(connection, named("b"), {"settle"}, "1"));
    QVERIFY(store::beatInstance(connection, named("c"), {"ingest"}, "1"));
    QVERIFY(store::beatInstance(connection, named("c"), {"ingest"}, "1"));

    const auto live = store::liveInstances(connection);

    QVERIFY(live);
    QCOMPARE(live->instances, 3);
    QCOMPARE(live->settlers, 3);
}

void TstInstances::silentOnesAreNotCounted()
{
    auto connection = m_database->connect("countersign_processor");
    QVERIFY(store::beatInstance(connection, named("a"), {"settle"}, "1"));
    QVERIFY(store::beatInstance(connection, named("b"), {"settle"}, "1"));
    m_database->run("UPDATE processor_instances SET heartbeat_at = now() - interval '16 s' "
                    "WHERE instance = 'a'");

    QCOMPARE(store::liveInstances(connection)->settlers, 1);

    QVERIFY(store::beatInstance(connection, named("a"), {"settle"}, "1"));
    QCOMPARE(store::liveInstances(connection)->settlers, 2);
}

void TstInstances::whoLeavesIsGoneAndTheLongDeadToo()
{
    auto connection = m_database->connect("countersign_processor");
    for (const char* name : {"a", "b", "c"}) {
        QVERIFY(store::beatInstance(connection, named(name), {"settle"}, "1"));
    }
    m_database->run("UPDATE processor_instances SET heartbeat_at = now() - interval '25 h' "
                    "WHERE instance = 'b'");

    QVERIFY(store::leaveInstances(connection, named("a")));

    QCOMPARE(m_database->value("SELECT string_agg(instance, ',') FROM processor_instances"), "c");
}

void TstInstances::beatsUntilStopped()
{
    base::Progress progress;
    auto& pulse = progress.add("heartbeat", 10s);
    store::Heartbeat heartbeat{connect(), named("me"), {"settle"}, "1"};
    QCOMPARE(heartbeat.settlers(), 1); // before the first look
    auto connection = m_database->connect("countersign_processor");
    QVERIFY(store::beatInstance(connection, named("other"), {"settle"}, "1"));
    std::jthread thread{[&](const std::stop_token& stop) { heartbeat.run(stop, pulse); }};

    QVERIFY(support::waitUntil([&] { return heartbeat.settlers() == 2; }, 10s));
    QCOMPARE(heartbeat.instances(), 2);
    thread.request_stop();
    thread.join();

    QCOMPARE(
        m_database->value("SELECT string_agg(instance, ',') FROM processor_instances"), "other");
}

QTEST_GUILESS_MAIN(TstInstances)
#include "tst_instances.moc"
