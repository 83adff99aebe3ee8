// serve as a program: what it prints, how it ends, who may join it, what it leaves behind.

#include "processor/redis/client.h"
#include "tests/support/daemon.h"
#include "tests/support/database.h"
#include "tests/support/json_text.h"
#include "tests/support/require.h"
#include "tests/support/temp_folder.h"
#include "tests/support/wait.h"
#include "tests/support/webhook.h"

#include <QTest>
#include <charconv>
#include <csignal>
#include <fstream>
#include <iterator>
#include <memory>
#include <sys/stat.h>
#include <thread>

using namespace std::chrono_literals;

namespace {

std::string readFile(const std::string& path)
{
    std::ifstream file{path};
    return {std::istreambuf_iterator<char>{file}, {}};
}

base::Secret secretIn(const std::string& path)
{
    std::string text = readFile(path);
    while (text.ends_with('\n')) text.pop_back();
    return base::Secret{text};
}

pid_t numberAtStart(std::string_view text)
{
    pid_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

pid_t redisPid(const std::string& url)
{
    redis::Client client{{.url = url}};
    const auto info = support::require(client.run({"INFO", "server"}));
    const std::string_view text{info.text};
    return numberAtStart(text.substr(text.find("process_id:") + 11));
}

class TestServe : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase();

    void printsOneLineAndNothingElse();
    void theLineIsAlsoAPrivateFile();
    void secondServeOnTheFolderIsRefused();
    void itsDemoLoginsAreThere();
    void anotherProcessJoinsAndSettles();
    void processWithoutIngestHasNoWebhooks();
    void twoOnOnePortIsRefused();
    void adminEndpointsAnswer();
    void adminAwayFromTheLoopbackWantsItsToken();
    void redisIsNotNeededToSettle();
    void hangUpIsNoReasonToEnd();
    void stopTakesLeaveAndEndsWithZero();
    void stopAnswersWhatIsUnderWay();
    void killedParentLeavesNoStores();

private:
    support::DaemonPlan joined(const std::string& roles) const;
    std::unique_ptr<support::Process> settlerWithAdmin(const std::string& admin) const;
    std::string get(const support::Daemon& daemon, const std::string& path, int status,
        const support::HttpHeaders& headers = {});

    std::unique_ptr<support::TempFolder> m_folder;
    std::unique_ptr<support::Daemon> m_daemon; // the stores, and everything but settle
    std::unique_ptr<support::Database> m_database;
};

void TestServe::initTestCase()
{
    m_folder = std::make_unique<support::TempFolder>();
    m_daemon = support::require(support::Daemon::start(
        {.embeddedFolder = m_folder->file("stack"), .roles = "ingest,dispatch,watch"}));
    m_database = std::make_unique<support::Database>(m_daemon->databaseUrl());
    m_database->addUsers(1, 20);
}

void TestServe::cleanupTestCase()
{
    m_database.reset();
    m_daemon.reset();
    m_folder.reset();
}

support::DaemonPlan TestServe::joined(const std::string& roles) const
{
    return {.databaseUrl = m_daemon->databaseUrl(),
        .redisUrl = m_daemon->redisUrl(),
        .secretFile = m_daemon->secretFile(),
        .roles = roles};
}

std::string TestServe::get(const support::Daemon& daemon, const std::string& path, int status,
    const support::HttpHeaders& headers)
{
    support::HttpClient client{daemon.admin()};
    const auto answer = support::require(client.get(path, headers));
    if (answer.status != status) {
        qWarning("%s: %d %s", path.c_str(), answer.status, answer.body.c_str());
    }
    return answer.status == status ? answer.body : "wrong status";
}

void TestServe::printsOneLineAndNothingElse()
{
    QCOMPARE(m_daemon->process().output(), m_daemon->readyLine() + "\n");
    QVERIFY(m_daemon->readyLine().starts_with("{\"event\":\"ready\",\"http\":\"127.0.0.1:"));
    QVERIFY(m_daemon->databaseUrl().starts_with("postgresql://"));
    QVERIFY(m_daemon->redisUrl().starts_with("unix:///"));
    QVERIFY(m_daemon->readyLine().find("\"rate_limit\":{\"per_second\":0,\"per_minute\":0}")
        != std::string::npos);
    QVERIFY(secretIn(m_daemon->secretFile()).reveal().size() >= 32);
}

void TestServe::theLineIsAlsoAPrivateFile()
{
    const std::string path = m_folder->file("stack") + "/ready.json";
    QCOMPARE(readFile(path), m_daemon->readyLine() + "\n");
    struct stat facts
    {};
    QCOMPARE(stat(path.c_str(), &facts), 0);
    QCOMPARE(facts.st_mode & 0777U, 0600U);
}

void TestServe::secondServeOnTheFolderIsRefused()
{
    const auto second = support::require(
        support::Process::start({.program = support::binFolder() + "/countersignd",
            .arguments = {"serve", "--embedded", m_folder->file("stack"), "--http", "127.0.0.1:0",
                "--admin", "127.0.0.1:0"}}));
    QCOMPARE(second->waitExit(30s), std::optional{75});
    QCOMPARE(second->output(), std::string{});
    QVERIFY(m_daemon->process().isRunning());
    QVERIFY(!readFile(m_folder->file("stack") + "/ready.json").empty());
}

void TestServe::itsDemoLoginsAreThere()
{
    for (const char* login : {"support", "operator", "approver", "approver2", "admin"}) {
        auto connection = m_database->connect(login);
        const auto rows = support::require(connection.run({"test_person",
            "SELECT p.person FROM people p, balances b RIGHT JOIN users u ON u.id = b.user_id"
            " WHERE p.login = session_user LIMIT 1"}));
        QCOMPARE(std::string{rows.text(0, 0)}, std::string{login});
    }
}

void TestServe::anotherProcessJoinsAndSettles()
{
    support::WebhookSender sender{m_daemon->http(), secretIn(m_daemon->secretFile())};
    const auto answer
        = support::require(sender.send({.eventId = "join-1", .userId = 1, .amount = "2.5"}));
    QCOMPARE(answer.status, 200);
    QCOMPARE(m_database->balance(1), std::string{"0"}); // nobody settles yet

    const auto worker = support::require(support::Daemon::start(joined("settle")));
    QVERIFY(support::waitUntil([&] { return m_database->balance(1) == "2.5"; }, 20s));
    QCOMPARE(m_database->brokenSums(), std::string{"0"});
}

void TestServe::processWithoutIngestHasNoWebhooks()
{
    const auto worker = support::require(support::Daemon::start(joined("settle")));
    QVERIFY(worker->readyLine().find("\"http\":null") != std::string::npos);
    // It was given the stores' addresses, which may hold passwords: it does not repeat them.
    QVERIFY(
        worker->readyLine().find("\"database_url\":null,\"redis_url\":null,\"secret_file\":null")
        != std::string::npos);
    QVERIFY(get(*worker, "/status", 200).find("\"roles\":[\"settle\"]") != std::string::npos);
}

std::unique_ptr<support::Process> TestServe::settlerWithAdmin(const std::string& admin) const
{
    return support::require(support::Process::start({.program
        = support::binFolder() + "/countersignd",
        .arguments = {"serve", "--roles=settle", "--admin", admin},
        .environment = {"DATABASE_URL=" + m_daemon->databaseUrl(),
            "REDIS_URL=" + m_daemon->redisUrl(), "WEBHOOK_SECRET_FILE=" + m_daemon->secretFile(),
            "ADMIN_TOKEN=a-token-that-is-long-enough-to-be-one"}}));
}

void TestServe::twoOnOnePortIsRefused()
{
    const auto second = settlerWithAdmin(m_daemon->admin());
    QCOMPARE(second->waitExit(30s), std::optional{75});
    QCOMPARE(second->output(), std::string{});
}

void TestServe::adminEndpointsAnswer()
{
    QCOMPARE(get(*m_daemon, "/healthz", 200), std::string{"{\"healthy\":true,\"stuck\":[]}"});
    QCOMPARE(get(*m_daemon, "/readyz", 200),
        std::string{"{\"ready\":true,\"database\":\"ok\",\"redis\":\"ok\"}"});
    const std::string status = get(*m_daemon, "/status", 200);
    for (const char* name :
        {"instance", "version", "roles", "pending", "enqueued", "processing", "confirmed_estimate",
            "failed_estimate", "log_last", "stream_last", "oldest_age_ms", "groups", "sources"}) {
        QVERIFY2(status.find("\"" + std::string{name} + "\":") != std::string::npos, name);
    }
    QVERIFY(status.find(secretIn(m_daemon->secretFile()).reveal()) == std::string::npos);
    QVERIFY(get(*m_daemon, "/metrics", 200).find("countersign_queue_depth{state=\"enqueued\"}")
        != std::string::npos);
    QVERIFY(get(*m_daemon, "/nothing", 404) != "wrong status");
}

void TestServe::adminAwayFromTheLoopbackWantsItsToken()
{
    const auto worker = settlerWithAdmin("0.0.0.0:0");
    const std::string line = support::require(worker->waitLine("ready", 30s));
    const std::string admin = support::textMember(line, "admin");
    support::HttpClient client{"127.0.0.1" + admin.substr(admin.rfind(':'))};
    const auto ask = [&](const support::HttpHeaders& headers) {
        return support::require(client.get("/status", headers)).status;
    };
    QCOMPARE(ask({}), 401);
    QCOMPARE(ask({{"Authorization", "Bearer something-else-of-the-same-length-yes"}}), 401);
    QCOMPARE(ask({{"Authorization", "Bearer a-token-that-is-long-enough-to-be-one"}}), 200);
}

void TestServe::redisIsNotNeededToSettle()
{
    auto plan = joined("ingest,dispatch,settle");
    plan.redisUrl = "redis://127.0.0.1:1";
    const auto daemon = support::require(support::Daemon::start(plan));
    support::WebhookSender sender{daemon->http(), secretIn(m_daemon->secretFile())};
    const auto answer
        = support::require(sender.send({.eventId = "alone-1", .userId = 3, .amount = "4"}));
    QCOMPARE(answer.status, 200);
    QVERIFY(support::waitUntil([&] { return m_database->balance(3) == "4"; }, 20s));
    QVERIFY(get(*daemon, "/readyz", 200).find("\"ready\":true") != std::string::npos);
    QVERIFY(get(*daemon, "/status", 200).find("\"processing\":null") != std::string::npos);
    QCOMPARE(daemon->process().terminate(20s), std::optional{0});
}

void TestServe::hangUpIsNoReasonToEnd()
{
    const auto worker = support::require(support::Daemon::start(joined("settle")));
    worker->process().signal(SIGHUP);
    QCOMPARE(get(*worker, "/healthz", 200), std::string{"{\"healthy\":true,\"stuck\":[]}"});
    QVERIFY(worker->process().isRunning());
    QCOMPARE(worker->process().terminate(20s), std::optional{0});
}

void TestServe::stopTakesLeaveAndEndsWithZero()
{
    const auto worker = support::require(support::Daemon::start(joined("settle")));
    const auto instances = [&] {
        return m_database->value(
            "SELECT count(*) FROM processor_instances WHERE roles = ARRAY['settle']");
    };
    QVERIFY(support::waitUntil([&] { return instances() == "1"; }, 10s));
    QCOMPARE(worker->process().terminate(20s), std::optional{0});
    QCOMPARE(instances(), std::string{"0"});
}

void TestServe::stopAnswersWhatIsUnderWay()
{
    const auto daemon = support::require(support::Daemon::start(joined("ingest")));
    pg::Connection holder = m_database->connect();
    QVERIFY(holder.runScript("BEGIN; SELECT FROM log_tail FOR UPDATE"));
    int status = 0;
    std::jthread client{[&] {
        support::WebhookSender sender{daemon->http(), secretIn(m_daemon->secretFile())};
        const auto answer = sender.send({.eventId = "under-way", .userId = 2});
        status = answer ? answer->status : -1;
    }};
    QVERIFY(support::waitUntil(
        [&] { return m_database->value("SELECT count(*) FROM pg_locks WHERE NOT granted") == "1"; },
        10s)); // its transaction has come as far as the log

    daemon->process().signal(SIGTERM);
    support::HttpClient late{daemon->http()};
    QVERIFY(support::waitUntil([&] { return !late.open(); }, 10s)); // accepts no more
    QVERIFY(holder.runScript("COMMIT"));
    client.join();
    QCOMPARE(status, 200);
    QCOMPARE(daemon->process().waitExit(20s), std::optional{0});
    QCOMPARE(m_database->value("SELECT count(*) FROM payment_events WHERE event_id = 'under-way'"),
        std::string{"1"});
}

void TestServe::killedParentLeavesNoStores()
{
    const support::TempFolder folder;
    auto daemon
        = support::require(support::Daemon::start({.embeddedFolder = folder.file("stack")}));
    const pid_t redis = redisPid(daemon->redisUrl());
    const pid_t postgres
        = numberAtStart(readFile(folder.file("stack") + "/pg/data/postmaster.pid"));
    QVERIFY(support::isAlive(redis));
    QVERIFY(support::isAlive(postgres));
    daemon->process().kill();
    QVERIFY(support::waitUntil(
        [&] { return !support::isAlive(redis) && !support::isAlive(postgres); }, 20s));
}

} // namespace

QTEST_GUILESS_MAIN(TestServe)
#include "tst_serve.moc"
