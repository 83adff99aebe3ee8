#include "processor/pg/pool.h"
#include "processor/pg/transaction.h"
#include "tests/support/postgres_server.h"
#include "tests/support/wait.h"

#include <QTest>
#include <atomic>
#include <chrono>
#include <thread>

using base::ErrorKind;
using namespace std::chrono_literals;

class TstPool : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void reusesAConnectionWithoutAskingTheServer();
    void returningTwiceIsHarmless();
    void exhaustedPoolIsUnavailable();
    void waiterGetsTheReturnedConnection();
    void openTransactionIsRolledBack();
    void deadConnectionIsReplaced();
    void unreachableServerCostsNoPlace();
    void leaseMayOutliveThePool();
    void assignedLeaseGivesBackItsOldOne();
    void manyThreadsShareFewConnections();

private:
    pg::Pool pool(std::size_t size = 2) const { return pg::Pool{{.url = m_server->url()}, size}; }
    static int backendOf(pg::Connection& connection)
    {
        return static_cast<int>(connection.run({"pid", "SELECT pg_backend_pid()"})->bigint(0, 0));
    }
    pg::Connection admin() const
    {
        auto connection = pg::Connection::open({.url = m_server->url()});
        if (!connection) qFatal("%s", connection.error().message.c_str());
        return std::move(*connection);
    }

    std::unique_ptr<support::PostgresServer> m_server;
};

void TstPool::initTestCase()
{
    auto server = support::PostgresServer::start();
    QVERIFY2(server, server ? "" : server.error().message.c_str());
    m_server = std::move(*server);
}

void TstPool::reusesAConnectionWithoutAskingTheServer()
{
    auto connections = pool();
    const int first = backendOf(**connections.borrow(1s));
    const auto again = connections.borrow(1s);
    QVERIFY(again);

    auto observer = admin();
    const auto last = observer.run(
        {"last", "SELECT query FROM pg_stat_activity WHERE pid = $1"}, pg::Params{}.integer(first));
    QVERIFY(last->text(0, 0) == "SELECT pg_backend_pid()"); // no probe came after it
    QCOMPARE(connections.idle(), std::size_t{0}); // and it is the very one that is lent again
}

void TstPool::returningTwiceIsHarmless()
{
    auto connections = pool();
    auto one = connections.borrow(1s);
    auto two = connections.borrow(1s);
    one->giveBack();
    one->giveBack();

    QCOMPARE(connections.idle(), std::size_t{1});
    const auto three = connections.borrow(10ms);
    QVERIFY(three);
    QVERIFY(!connections.borrow(10ms)); // the second return made no third place
}

void TstPool::exhaustedPoolIsUnavailable()
{
    auto connections = pool();
    const auto one = connections.borrow(1s);
    const auto two = connections.borrow(1s);
    const auto start = std::chrono::steady_clock::now();
    const auto three = connections.borrow(50ms);

    QVERIFY(one && two && !three);
    QCOMPARE(int(three.error().kind), int(ErrorKind::Unavailable));
    QVERIFY(std::chrono::steady_clock::now() - start >= 50ms);
}

void TstPool::waiterGetsTheReturnedConnection()
{
    auto connections = pool();
    auto one = connections.borrow(1s);
    auto two = connections.borrow(1s);
    std::atomic<bool> got{false};
    std::thread waiter{[&] { got = bool(connections.borrow(10s)); }};
    two->giveBack();
    waiter.join();

    QVERIFY(got);
}

void TstPool::openTransactionIsRolledBack()
{
    auto connections = pool();
    int backend = 0;
    {
        auto lease = connections.borrow(1s);
        backend = backendOf(**lease);
        QVERIFY((*lease)->runScript("CREATE TABLE dirty (n int)"));
        QVERIFY((*lease)->runScript("BEGIN; INSERT INTO dirty VALUES (1)"));
        QVERIFY(!(*lease)->isIdle());
    }
    auto lease = connections.borrow(1s);
    QVERIFY((*lease)->isIdle());
    QCOMPARE(backendOf(**lease), backend);
    QCOMPARE((*lease)->run({"count", "SELECT count(*) FROM dirty"})->bigint(0, 0), 0);
}

void TstPool::deadConnectionIsReplaced()
{
    auto connections = pool();
    int backend = 0;
    {
        auto lease = connections.borrow(1s);
        backend = backendOf(**lease);
    }
    QVERIFY(admin().run(
        {"end", "SELECT pg_terminate_backend($1, 5000)"}, pg::Params{}.integer(backend)));
    auto lease = connections.borrow(1s);
    QVERIFY(lease);
    // Had the news not arrived yet, the first statement would still tell.
    QVERIFY(backendOf(**lease) != backend);
}

void TstPool::unreachableServerCostsNoPlace()
{
    auto connections = pool();
    m_server->pause();
    for (int i = 0; i < 5; ++i) {
        const auto lease = connections.borrow(1s);
        QVERIFY(!lease);
        QCOMPARE(int(lease.error().kind), int(ErrorKind::Unavailable));
    }
    QVERIFY(m_server->resume());
    const auto one = connections.borrow(1s);
    const auto two = connections.borrow(1s);
    QVERIFY(one && two);
}

void TstPool::leaseMayOutliveThePool()
{
    auto connections = std::make_unique<pg::Pool>(pool());
    auto lease = connections->borrow(1s);
    connections.reset();

    QVERIFY((*lease)->run({"one", "SELECT 1"}));
    lease->giveBack();
}

void TstPool::assignedLeaseGivesBackItsOldOne()
{
    auto connections = pool();
    auto one = connections.borrow(1s);
    auto two = connections.borrow(1s);
    *one = std::move(*two);

    QCOMPARE(connections.idle(), std::size_t{1});
    QVERIFY((**one).run({"one", "SELECT 1"}));
}

void TstPool::manyThreadsShareFewConnections()
{
    auto connections = pool(3);
    std::atomic<int> done{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 12; ++i) {
        threads.emplace_back([&] {
            for (int round = 0; round < 50; ++round) {
                auto lease = connections.borrow(20s);
                if (!lease) continue;
                pg::Transaction transaction{**lease};
                transaction.add({"one", "SELECT 1"});
                if (round % 3 == 0 ? bool(transaction.send()) : bool(transaction.commit())) ++done;
            }
        });
    }
    for (auto& thread : threads) thread.join();

    QCOMPARE(done.load(), 600);
    QVERIFY(connections.idle() <= 3);
}

QTEST_GUILESS_MAIN(TstPool)
#include "tst_pool.moc"
