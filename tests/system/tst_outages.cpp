// What was answered 200 is settled once, whoever dies and whatever Redis forgets.

#include "processor/redis/client.h"
#include "tests/support/daemon.h"
#include "tests/support/database.h"
#include "tests/support/require.h"
#include "tests/support/temp_folder.h"
#include "tests/support/wait.h"
#include "tests/system/traffic.h"

#include <QTest>
#include <chrono>
#include <csignal>
#include <fstream>
#include <memory>

using namespace std::chrono_literals;

namespace {

constexpr int kSenders = 4;
constexpr std::int64_t kUsers = 20;

class TestOutages : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void everythingIsKilledInTheMiddleOfTraffic();
    void redisForgetsEverything();
    void redisIsAway();

private:
    void start();
    void letTrafficGrowBy(std::size_t events);
    bool allSettled();
    void checkBooks();
    void checkStreamIsTheLog();
    redis::Client redis() { return redis::Client{{.url = m_daemon->redisUrl()}}; }

    std::unique_ptr<support::TempFolder> m_folder;
    std::unique_ptr<support::Daemon> m_daemon;
    std::unique_ptr<support::Database> m_database;
    std::unique_ptr<Traffic> m_traffic;
};

std::string readFile(const std::string& path)
{
    std::ifstream file{path};
    std::string text;
    std::getline(file, text);
    return text;
}

// Everything in one process, so that its death takes the stores along.
void TestOutages::start()
{
    support::DaemonPlan plan;
    plan.embeddedFolder = m_folder->path() + "/stack";
    m_daemon = support::require(support::Daemon::start(plan));
    m_database = std::make_unique<support::Database>(m_daemon->databaseUrl());
}

void TestOutages::init()
{
    m_folder = std::make_unique<support::TempFolder>();
    start();
    m_database->addUsers(1, kUsers);
    m_traffic = std::make_unique<Traffic>(
        base::Secret{readFile(m_daemon->secretFile())}, kSenders, kUsers);
    m_traffic->aim(m_daemon->http());
}

void TestOutages::cleanup()
{
    m_traffic.reset();
    m_database.reset();
    m_daemon.reset();
    m_folder.reset();
}

void TestOutages::letTrafficGrowBy(std::size_t events)
{
    const std::size_t target = m_traffic->promised().size() + events;
    QVERIFY(support::waitUntil([&] { return m_traffic->promised().size() >= target; }, 60s));
}

bool TestOutages::allSettled()
{
    std::string ids;
    for (const auto& id : m_traffic->promised()) ids += (ids.empty() ? "" : ",") + id;
    return m_database->value("SELECT count(*) FROM unnest(string_to_array('" + ids
               + "', ',')) AS promised(id) WHERE NOT EXISTS (SELECT FROM payment_events e"
                 " WHERE e.event_id = promised.id AND e.outcome = 'confirmed')")
        == "0";
}

void TestOutages::checkBooks()
{
    QCOMPARE(m_database->brokenSums(), std::string{"0"});
    QCOMPARE(m_database->value("SELECT count(*) FROM (SELECT FROM balance_events"
                               " GROUP BY source_event_id, event_type HAVING count(*) > 1) twice"),
        std::string{"0"});
    QCOMPARE(m_database->value("SELECT count(*) FROM payment_events e WHERE outcome = 'confirmed'"
                               " AND (SELECT count(*) FROM balance_events b"
                               " WHERE b.event_no = e.event_no) <> 1"),
        std::string{"0"});
    QCOMPARE(m_database->value("SELECT coalesce(max(no), 0) - count(*) FROM payment_log"),
        std::string{"0"});
    QCOMPARE(m_database->value("SELECT count(*) FROM dead_letter_queue"), std::string{"0"});
}

// Entry by entry from the lowest number that is still there.
void TestOutages::checkStreamIsTheLog()
{
    const std::string last = m_database->value("SELECT max(no) FROM payment_log");
    auto client = redis();
    QVERIFY(support::waitUntil(
        [&] {
            const auto reply = client.run({"XREVRANGE", "payments:events", "+", "-", "COUNT", "1"});
            return reply && !reply->items.empty() && reply->items[0].items[0].text == last + "-0";
        },
        30s));

    const auto entries = support::require(client.run({"XRANGE", "payments:events", "-", "+"}));
    QVERIFY(!entries.items.empty());
    std::string seen;
    for (const auto& entry : entries.items) {
        std::string line = entry.items[0].text;
        const auto& fields = entry.items[1].items;
        for (std::size_t i = 0; i + 1 < fields.size(); i += 2) {
            if (fields[i].text == "event" || fields[i].text == "payment_id") {
                line += " " + fields[i + 1].text;
            }
        }
        seen += line + "\n";
    }
    const std::string first = entries.items.front().items[0].text;
    const std::string logged = m_database->value(
        "SELECT string_agg(no || '-0 ' || kind || ' ' || payment_id || E'\\n', '' ORDER BY no)"
        " FROM payment_log WHERE no >= "
        + first.substr(0, first.find('-')));
    QVERIFY2(seen == logged, "the stream is not the log");
}

void TestOutages::everythingIsKilledInTheMiddleOfTraffic()
{
    for (int round = 0; round < 3; ++round) {
        letTrafficGrowBy(150);
        m_traffic->aim("");
        m_daemon->process().kill();
        start();
        m_traffic->aim(m_daemon->http());
    }
    letTrafficGrowBy(150);
    m_traffic->stop();

    QVERIFY(support::waitUntil([this] { return allSettled(); }, 30s));
    checkBooks();
    checkStreamIsTheLog();
}

void TestOutages::redisForgetsEverything()
{
    for (int round = 0; round < 5; ++round) {
        letTrafficGrowBy(100);
        QCOMPARE(support::require(redis().run({"FLUSHALL"})).text, std::string{"OK"});
    }
    letTrafficGrowBy(100);
    m_traffic->stop();

    QVERIFY(support::waitUntil([this] { return allSettled(); }, 30s));
    checkBooks();
    checkStreamIsTheLog();
}

void TestOutages::redisIsAway()
{
    letTrafficGrowBy(100);
    const std::string info = support::require(redis().run({"INFO", "server"})).text;
    const auto pid = static_cast<pid_t>(std::stol(info.substr(info.find("process_id:") + 11)));
    QVERIFY(pid > 1);

    // Stopped, it neither answers nor refuses, which is harder than being dead.
    QCOMPARE(::kill(pid, SIGSTOP), 0);
    letTrafficGrowBy(100);
    QVERIFY(support::waitUntil([this] { return allSettled(); }, 30s));
    QCOMPARE(::kill(pid, SIGCONT), 0);
    letTrafficGrowBy(100);
    m_traffic->stop();

    QVERIFY(support::waitUntil([this] { return allSettled(); }, 30s));
    checkBooks();
    checkStreamIsTheLog();
}

} // namespace

QTEST_GUILESS_MAIN(TestOutages)
#include "tst_outages.moc"
