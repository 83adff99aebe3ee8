// PostgreSQL is away during traffic: senders hear 503, what was answered 200 is settled, no healthy
// event is dead-lettered, and letters that had to wait in Redis come back by themselves.

#include "tests/support/require.h"
#include "tests/support/wait.h"
#include "tests/torture/arena.h"
#include "tests/torture/books.h"
#include "tests/torture/crowd.h"
#include "tests/torture/sabotage.h"
#include "tests/torture/scale.h"

#include <QTest>
#include <chrono>
#include <csignal>
#include <memory>

using namespace std::chrono_literals;
using embedded::Store;

namespace {

constexpr std::int64_t kUsers = 200;
constexpr const char* kRich = "e.event_id LIKE 'rich-%'";

class TestDatabaseOutage : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void stopped();
    void killed();

private:
    std::int64_t lettersInRedis();
    void letTrafficGrowBy(std::int64_t turns);
    void check(const std::string& excused);
    void reconnect();

    torture::Arena m_arena;
    std::unique_ptr<support::Database> m_database;
    std::unique_ptr<support::Daemon> m_one;
    std::unique_ptr<support::Daemon> m_two;
    std::unique_ptr<torture::Crowd> m_crowd;
};

void TestDatabaseOutage::init()
{
    m_crowd.reset();
    m_one.reset();
    m_two.reset();
    m_database = std::make_unique<support::Database>(m_arena.createDatabase(kUsers));
    m_one = m_arena.serve(*m_database);
    m_two = m_arena.serve(*m_database);
    m_crowd = std::make_unique<torture::Crowd>(m_arena.secret(), 8, torture::pairsOf(kUsers));
    m_crowd->aim({m_one->http(), m_two->http()});
}

void TestDatabaseOutage::reconnect()
{
    const std::string url = m_database->url();
    m_database.reset();
    m_database = std::make_unique<support::Database>(url);
}

std::int64_t TestDatabaseOutage::lettersInRedis()
{
    auto redis = m_arena.stack().connectRedis();
    return support::require(redis.run({"LLEN", "dlq:payment_events"})).integer
        + support::require(redis.run({"LLEN", "dlq:payment_events:draining"})).integer;
}

void TestDatabaseOutage::letTrafficGrowBy(std::int64_t turns)
{
    const auto target = m_crowd->finishedTurns() + turns;
    QVERIFY(support::waitUntil([&] { return m_crowd->finishedTurns() >= target; }, 60s));
}

void TestDatabaseOutage::check(const std::string& excused)
{
    m_crowd->stop();
    QVERIFY(torture::waitEnded(*m_database, 60s));
    const auto wrong = torture::complaints(*m_database,
        {.promised = m_crowd->promised(),
            .excused = excused,
            .redisUrl = m_arena.stack().redisUrl()});
    QVERIFY2(wrong.empty(), wrong.c_str());
    // Nobody was left without an answer, or with another than these.
    for (const auto& [status, count] : m_crowd->statuses()) {
        qInfo("answered %d: %lld times", status, static_cast<long long>(count));
        QVERIFY(status == 200 || status == 503);
    }
}

void TestDatabaseOutage::stopped()
{
    const auto outage = torture::scaled<std::chrono::seconds>(8s, 60s);
    letTrafficGrowBy(100);
    // An event that has to fail, and whose letter PostgreSQL does not take: its copy is in Redis.
    torture::refuseRows(*m_database, "dead_letter_queue", "true", "22023");
    support::WebhookSender sender{m_one->http(), m_arena.secret()};
    for (const char* id : {"rich-1", "rich-2"}) {
        const support::Payment payment{
            .eventId = id, .userId = kUsers, .amount = "60000000000000000000"};
        QCOMPARE(support::require(sender.send(payment)).status, 200);
    }
    const auto isCopied = [&] {
        // A refused letter is tried again like any failure; the little scale does not wait.
        if (!torture::isFull()) m_database->run("UPDATE event_waits SET due_at = now()");
        return lettersInRedis() > 0;
    };
    QVERIFY(support::waitUntil(isCopied, 120s));

    m_arena.stack().stores().hold(Store::Postgres);
    const auto turns = m_crowd->finishedTurns();
    const auto promised = m_crowd->promised().size();
    const auto refused = m_crowd->statuses()[503];
    support::letPass(outage);
    QCOMPARE(m_crowd->promised().size(), promised);
    QVERIFY(m_crowd->finishedTurns() == turns && m_crowd->statuses()[503] > refused);
    QVERIFY(lettersInRedis() > 0);
    const auto back = std::chrono::steady_clock::now();
    support::require(m_arena.stack().stores().release(Store::Postgres));
    reconnect();
    torture::acceptRows(*m_database, "dead_letter_queue");
    letTrafficGrowBy(1);
    const auto acceptedAfter = std::chrono::steady_clock::now() - back;
    QVERIFY(support::waitUntil([&] { return lettersInRedis() == 0; }, 90s));
    const auto drainedAfter = std::chrono::steady_clock::now() - back;
    letTrafficGrowBy(100);
    check(kRich);
    // Each processor may have had its copy: one letter is open, another one came to an ended event.
    QCOMPARE(
        m_database->table("SELECT event_id, state FROM dead_letter_queue WHERE state = 'open'"),
        std::string{"(rich-2,open)"});
    QCOMPARE(m_database->value("SELECT count(*) FROM dead_letter_queue WHERE event_id <> 'rich-2'"
                               " OR state NOT IN ('open', 'resolved')"),
        std::string{"0"});
    qInfo("after %lld s: first 200 after %.1f s, letters drained after %.1f s",
        static_cast<long long>(outage.count()),
        std::chrono::duration<double>{acceptedAfter}.count(),
        std::chrono::duration<double>{drainedAfter}.count());
}

void TestDatabaseOutage::killed()
{
    const int kills = torture::scaled(2, 10);
    auto& stores = m_arena.stack().stores();
    for (int kill = 0; kill < kills; ++kill) {
        letTrafficGrowBy(100);
        const pid_t server = stores.pid(Store::Postgres);
        QVERIFY(server > 1);
        QCOMPARE(::kill(server, SIGKILL), 0);
        QVERIFY(support::waitUntil(
            [&] { return stores.isUp(Store::Postgres) && stores.pid(Store::Postgres) != server; },
            60s));
    }
    letTrafficGrowBy(100);
    reconnect();
    check("false");
}

} // namespace

QTEST_GUILESS_MAIN(TestDatabaseOutage)
#include "tst_database_outage.moc"
