// Two processors through one PgBouncer in transaction mode that has two connections for them all.

#include "tests/support/daemon.h"
#include "tests/support/pgbouncer.h"
#include "tests/support/require.h"
#include "tests/support/stack.h"
#include "tests/support/wait.h"
#include "tests/support/webhook.h"
#include "tests/system/traffic.h"

#include <QTest>
#include <chrono>
#include <memory>
#include <vector>

using namespace std::chrono_literals;

namespace {

constexpr int kServers = 2;

class TestPooler : public QObject
{
    Q_OBJECT

private slots:
    void everythingWorks_data();
    void everythingWorks();
    void withADirectLineItWakesFast();
    void frozenProcessesLoseTheConnectionsTheyHold();
    void theSchemaIsMadeThroughIt();
    void theCommandsWork();

private:
    support::DaemonPlan plan(const std::string& roles) const;
    void open();

    support::TestStack m_stack;
    std::unique_ptr<support::Database> m_database;
    std::unique_ptr<support::PgBouncer> m_pooler;
};

void TestPooler::open()
{
    m_database = std::make_unique<support::Database>(m_stack.createDatabase());
    m_database->addUsers(1, 20);
    m_stack.connectRedis(true);
    m_pooler = support::require(support::PgBouncer::start(m_database->url(), kServers));
}

support::DaemonPlan TestPooler::plan(const std::string& roles) const
{
    return {.databaseUrl = m_pooler->url(),
        .redisUrl = m_stack.redisUrl(),
        .secretFile = m_stack.secretFile(),
        .roles = roles,
        .environment
        = {"COUNTERSIGN_RATE_LIMIT_PER_SECOND=0", "COUNTERSIGN_RATE_LIMIT_PER_MINUTE=0"}};
}

void TestPooler::everythingWorks_data()
{
    QTest::addColumn<QByteArray>("first");
    QTest::addColumn<QByteArray>("second");
    QTest::addColumn<bool>("direct");

    QTest::newRow("roles apart") << QByteArray{"ingest,dispatch"}
                                 << QByteArray{"settle,watch,notify,analytics"} << false;
    QTest::newRow("all roles twice") << QByteArray{} << QByteArray{} << false;
    QTest::newRow("all roles twice, with a direct line") << QByteArray{} << QByteArray{} << true;
}

void TestPooler::everythingWorks()
{
    QFETCH(QByteArray, first);
    QFETCH(QByteArray, second);
    QFETCH(bool, direct);
    open();
    auto firstPlan = plan(first.toStdString());
    auto secondPlan = plan(second.toStdString());
    if (direct) {
        firstPlan.environment.push_back("DATABASE_DIRECT_URL=" + m_database->url());
        secondPlan.environment.push_back("DATABASE_DIRECT_URL=" + m_database->url());
    }
    auto one = support::require(support::Daemon::start(firstPlan));
    auto two = support::require(support::Daemon::start(secondPlan));
    Traffic traffic{base::Secret{m_stack.secret()}, 4, 20};
    traffic.aim(one->http());

    QVERIFY(support::waitUntil([&] { return traffic.promised().size() >= 500; }, 60s));
    traffic.stop();

    const auto promised = std::to_string(traffic.promised().size());
    const auto settled = [&] {
        return m_database->value("SELECT count(*) FROM payment_events WHERE outcome = 'confirmed'")
            == promised;
    };
    QVERIFY2(support::waitUntil(settled, 30s),
        (promised + " promised, confirmed "
            + m_database->value("SELECT count(*) FROM payment_events WHERE outcome = 'confirmed'"))
            .c_str());
    QCOMPARE(m_database->value("SELECT count(*) FROM balance_events"), promised);
    QCOMPARE(m_database->brokenSums(), std::string{"0"});
    QCOMPARE(m_database->value("SELECT count(*) FROM dead_letter_queue"), std::string{"0"});
    QVERIFY(support::waitUntil(
        [&] {
            const auto length = m_stack.connectRedis().run({"XLEN", "payments:events"});
            return length
                && std::to_string(length->integer)
                == m_database->value("SELECT count(*) FROM payment_log");
        },
        30s));
    for (support::Daemon* daemon : {one.get(), two.get()}) {
        const std::string log = daemon->process().errorOutput();
        QVERIFY2(log.find("prepared statement") == std::string::npos, log.c_str());
        QVERIFY2(log.find("waits for PostgreSQL") == std::string::npos, log.c_str());
        QVERIFY2(log.find("\"level\":\"error\"") == std::string::npos, log.c_str());
        QCOMPARE(daemon->process().terminate().value_or(-1), 0);
    }
}

// Polls come twice a minute here: what is settled sooner, five times in a row, was announced.
void TestPooler::withADirectLineItWakesFast()
{
    open();
    auto intake = plan("ingest,dispatch");
    auto settler = plan("settle,watch");
    settler.environment.push_back("DATABASE_DIRECT_URL=" + m_database->url());
    settler.environment.push_back("COUNTERSIGN_POLL_MS=30000");
    auto two = support::require(support::Daemon::start(settler));
    auto one = support::require(support::Daemon::start(intake));
    support::WebhookSender sender{one->http(), base::Secret{m_stack.secret()}};

    for (int i = 0; i < 5; ++i) {
        const std::string id = "wake-" + std::to_string(i);
        QCOMPARE(support::require(sender.send({.eventId = id})).word, std::string{"accepted"});
        QVERIFY(support::waitUntil(
            [&] {
                return m_database->value(
                           "SELECT outcome FROM payment_events WHERE event_id = '" + id + "'")
                    == "confirmed";
            },
            5s));
    }
}

// Both connections are held in the middle of a transaction, in a way that no timer of the server
// ends. Who ends them has to come past the pooler.
void TestPooler::frozenProcessesLoseTheConnectionsTheyHold()
{
    open();
    auto all = plan("ingest,dispatch,settle,watch");
    all.environment.push_back("DATABASE_DIRECT_URL=" + m_database->url());
    const auto daemon = support::require(support::Daemon::start(all));
    support::WebhookSender sender{daemon->http(), base::Secret{m_stack.secret()}};
    std::vector<pg::Connection> frozen;
    for (int i = 0; i < kServers; ++i) {
        frozen.push_back(support::require(
            pg::Connection::open({.url = m_pooler->url(), .user = "countersign_processor"})));
        QVERIFY(frozen.back().runScript("BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0;"
                                        "SELECT FROM lanes FOR KEY SHARE"));
    }

    const auto isTaken = [&] {
        const auto answer = sender.send({.eventId = "e"});
        return answer && answer->status == 200;
    };
    QVERIFY(support::waitUntil(isTaken, 40s));
    QVERIFY(support::waitUntil([&] { return m_database->balance(1) == "1"; }, 20s));
}

void TestPooler::theSchemaIsMadeThroughIt()
{
    open();
    support::Database{m_stack.stores().databaseUrl("postgres")}.run("CREATE DATABASE bare");
    const std::string bare = m_stack.stores().databaseUrl("bare");
    const auto pooler = support::require(support::PgBouncer::start(bare, kServers));
    auto migrate = support::require(
        support::Process::start({.program = support::binFolder() + "/countersignd",
            .arguments = {"migrate"},
            .environment = {"DATABASE_URL=" + pooler->url(), "DATABASE_DIRECT_URL"}}));

    const auto status = migrate->waitExit(60s);

    QVERIFY2(status == 0, migrate->errorOutput().c_str());
    QCOMPARE(support::Database{bare}.value("SELECT count(*) FROM lanes"), std::string{"64"});
}

void TestPooler::theCommandsWork()
{
    open();
    const auto run = [&](const std::vector<std::string>& arguments, int& exit) {
        auto process = support::require(support::Process::start({.program
            = support::binFolder() + "/countersignd",
            .arguments = arguments,
            .environment = {"DATABASE_URL=" + m_pooler->url(), "REDIS_URL=" + m_stack.redisUrl(),
                "WEBHOOK_SECRET_FILE=" + m_stack.secretFile()}}));
        exit = process->waitExit(30s).value_or(-1);
        return process->output() + process->errorOutput();
    };
    int exit = 0;

    const std::string letters = run({"letters", "list"}, exit);
    QVERIFY2(exit == 0, letters.c_str());
    // The doctor finds fault with a store that does not flush, but it gets its answers.
    const std::string doctor = run({"doctor"}, exit);
    QVERIFY2(doctor.find("schema: current") != std::string::npos, doctor.c_str());
}

} // namespace

QTEST_GUILESS_MAIN(TestPooler)
#include "tst_pooler.moc"
