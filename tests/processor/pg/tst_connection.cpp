#include "processor/pg/connection.h"
#include "tests/support/fault_proxy.h"
#include "tests/support/postgres_server.h"
#include "tests/support/wait.h"

#include <QtTest>
#include <chrono>
#include <csignal>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

using base::ErrorKind;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Fault = support::FaultProxy::Fault;

namespace {

const std::string kProxyFile = "/.s.PGSQL.5432";

// A TCP port that completes the handshake (the kernel does) and never says a word.
class SilentPort
{
public:
    SilentPort() : m_socket{::socket(AF_INET, SOCK_STREAM, 0)}
    {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t length = sizeof address;
        auto* raw = reinterpret_cast<sockaddr*>(&address);
        if (::bind(m_socket, raw, length) != 0 || ::listen(m_socket, 8) != 0
            || ::getsockname(m_socket, raw, &length) != 0) {
            qFatal("no loopback port");
        }
        m_port = ntohs(address.sin_port);
    }
    ~SilentPort() { ::close(m_socket); }
    [[nodiscard]] std::string port() const { return std::to_string(m_port); }

private:
    int m_socket;
    int m_port = 0;
};

} // namespace

class TstConnection : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void runsOneStatement();
    void namesTheFailingStatementOfAPipeline();
    void pipelineIsOneImplicitTransaction();
    void failureAtTheSyncBelongsToTheLastStatement();
    void constraintNameIsHandedOn();
    void megabytesBothWaysDoNotDeadlock();
    void deadlineCancelsAndLeavesAUsableConnection();
    void deadlineOfAbandonIsUnknownAndCloses();
    void serverThatDoesNotReadIsGivenUp();
    void frozenServerIsGivenUp();
    void terminatedBackendIsUnavailable();
    void killedServerIsUnavailableUntilItIsBack();
    void serverThatHungUpMeanwhileIsNoticed();
    void lostAnswerDependsOnHowItWasAsked();
    void scriptRunsManyStatements();
    void failingScriptSaysWhy();
    void copyOutOfAScriptEndsTheConnection();
    void badUrlDoesNotRepeatThePassword();
    void unreachableServerIsUnavailable();
    void silentServerTimesOut();
    void silentHostDoesNotHideTheNext();
    void notificationsWakeAndTimeOut();

private:
    pg::Connection connect(std::chrono::milliseconds limit = 10s)
    {
        return connect(m_server->url(), limit);
    }
    static pg::Connection connect(const std::string& url, std::chrono::milliseconds limit)
    {
        auto connection = pg::Connection::open({.url = url, .statementTimeout = limit});
        if (!connection) qFatal("%s", connection.error().message.c_str());
        return std::move(*connection);
    }
    // Ends the other connection's backend as an administrator would.
    void terminate(std::int64_t backend)
    {
        auto admin = connect();
        const auto done = admin.run({"terminate", "SELECT pg_terminate_backend($1, 5000)"},
            pg::Params{}.integer(static_cast<std::int32_t>(backend)));
        QVERIFY(done);
    }
    static std::int64_t backendOf(pg::Connection& connection)
    {
        return connection.run({"pid", "SELECT pg_backend_pid()"})->bigint(0, 0);
    }

    std::unique_ptr<support::PostgresServer> m_server;
};

void TstConnection::initTestCase()
{
    auto server = support::PostgresServer::start();
    QVERIFY2(server, server ? "" : server.error().message.c_str());
    m_server = std::move(*server);
}

void TstConnection::runsOneStatement()
{
    auto connection = connect();
    const auto rows = connection.run({"one", "SELECT 1"});

    QVERIFY(rows);
    QCOMPARE(rows->bigint(0, 0), 1);
    QVERIFY(connection.isOpen());
    QVERIFY(connection.isIdle());
    QVERIFY(connection.isAlive());
    QVERIFY(connection.runPipeline({})->empty());
}

void TstConnection::namesTheFailingStatementOfAPipeline()
{
    auto connection = connect();
    const auto rows = connection.runPipeline({{{"first", "SELECT 1"}},
        {{"second", "SELECT 1 / $1::int"}, pg::Params{}.integer(0)}, {{"third", "SELECT nonsense"}}});

    QVERIFY(!rows);
    QCOMPARE(rows.error().message, std::string{"second: division by zero"});
    QCOMPARE(rows.error().code, std::string{"22012"});
    QCOMPARE(int(rows.error().kind), int(ErrorKind::Invalid));
    QVERIFY(connection.isIdle());
    QCOMPARE(connection.run({"after", "SELECT 5"})->bigint(0, 0), 5);
}

void TstConnection::pipelineIsOneImplicitTransaction()
{
    auto connection = connect();
    QVERIFY(connection.runScript("CREATE TABLE implicit (n int)"));
    QVERIFY(!connection.runPipeline(
        {{{"insert", "INSERT INTO implicit VALUES (1)"}}, {{"fail", "SELECT 1 / 0"}}}));

    QCOMPARE(connection.run({"count", "SELECT count(*) FROM implicit"})->bigint(0, 0), 0);
}

void TstConnection::failureAtTheSyncBelongsToTheLastStatement()
{
    auto connection = connect();
    QVERIFY(connection.runScript("CREATE TABLE late (n int, CONSTRAINT late_unique UNIQUE (n) "
                                 "DEFERRABLE INITIALLY DEFERRED)"));
    const auto rows = connection.runPipeline(
        {{{"one", "INSERT INTO late VALUES (1)"}}, {{"two", "INSERT INTO late VALUES (1)"}}});

    QVERIFY(!rows);
    QCOMPARE(rows.error().code, std::string{"23505"});
    QVERIFY(rows.error().message.starts_with("two: "));
    QVERIFY(connection.isIdle());
}

void TstConnection::constraintNameIsHandedOn()
{
    auto connection = connect();
    QVERIFY(connection.runScript(
        "CREATE TABLE guarded (n int, CONSTRAINT guarded_positive CHECK (n > 0))"));
    const auto rows = connection.run(
        {"insert", "INSERT INTO guarded VALUES ($1)"}, pg::Params{}.integer(-77));

    QVERIFY(!rows);
    QCOMPARE(rows.error().constraint, std::string{"guarded_positive"});
    QVERIFY(rows.error().message.find("77") == std::string::npos); // values stay out of messages
}

void TstConnection::megabytesBothWaysDoNotDeadlock()
{
    auto connection = connect(60s);
    const std::string block(1'000'000, 'x');
    std::vector<pg::Query> queries;
    for (int i = 0; i < 24; ++i) {
        queries.push_back({{"echo", "SELECT $1 || $2"},
            pg::Params{}.text(block).text(std::to_string(i))});
    }
    const auto rows = connection.runPipeline(queries);

    QVERIFY2(rows, rows ? "" : rows.error().message.c_str());
    for (std::size_t i = 0; i < queries.size(); ++i) {
        QCOMPARE((*rows)[i].text(0, 0).size(), block.size() + (i < 10 ? 1 : 2));
        QVERIFY((*rows)[i].text(0, 0).ends_with("x" + std::to_string(i)));
    }
    QVERIFY(connection.isIdle());
}

void TstConnection::deadlineCancelsAndLeavesAUsableConnection()
{
    auto connection = connect(200ms);
    for (int round = 0; round < 20; ++round) {
        connection.setStatementTimeout(50ms);
        const auto start = Clock::now();
        const auto rows = connection.runPipeline(
            {{{"fast", "SELECT 1"}}, {{"slow", "SELECT pg_sleep(30)"}}, {{"never", "SELECT 2"}}});

        QVERIFY(!rows);
        QCOMPARE(rows.error().code, std::string{"57014"});
        QCOMPARE(int(rows.error().kind), int(ErrorKind::Conflict));
        QVERIFY(rows.error().message.starts_with("slow: "));
        QVERIFY(Clock::now() - start < 3s);
        QVERIFY(connection.isIdle());
        // A cancel that came late would strike here.
        connection.setStatementTimeout(10s);
        const auto after = connection.run({"after", "SELECT 3 FROM pg_sleep(0.01)"});
        QVERIFY2(after, after ? "" : after.error().message.c_str());
    }
}

void TstConnection::deadlineOfAbandonIsUnknownAndCloses()
{
    auto connection = connect(100ms);
    const auto rows = connection.runPipeline(
        {{{"slow", "SELECT pg_sleep(30)"}}}, pg::OnDeadline::Abandon);

    QVERIFY(!rows);
    QCOMPARE(int(rows.error().kind), int(ErrorKind::Unknown));
    QVERIFY(!connection.isOpen());
    QCOMPARE(int(connection.run({"after", "SELECT 1"}).error().kind), int(ErrorKind::Unavailable));
    QVERIFY(connection.reopen());
    QVERIFY(connection.run({"after", "SELECT 1"}));
}

// Everything the client sends gets stuck; the cancel request cannot get through either.
void TstConnection::serverThatDoesNotReadIsGivenUp()
{
    const support::TempFolder folder;
    support::FaultProxy proxy{folder.path() + kProxyFile, m_server->socketFile()};
    auto connection = connect(
        "postgresql://postgres@/countersign?host=" + folder.path(), 200ms);
    proxy.arm(Fault::Stall);
    const auto start = Clock::now();
    const auto rows = connection.run(
        {"large", "SELECT length($1)"}, pg::Params{}.text(std::string(8'000'000, 'x')));

    QVERIFY(!rows);
    QCOMPARE(int(rows.error().kind), int(ErrorKind::Unavailable));
    QVERIFY(!connection.isOpen());
    QVERIFY(Clock::now() - start < 5s);
}

// The kernel still accepts connections for a stopped postmaster, but nobody answers a cancel.
void TstConnection::frozenServerIsGivenUp()
{
    auto connection = connect(200ms);
    const auto backend = static_cast<pid_t>(backendOf(connection));
    ::kill(m_server->pid(), SIGSTOP);
    ::kill(backend, SIGSTOP);
    const auto start = Clock::now();
    const auto rows = connection.run({"frozen", "SELECT 1"});
    const auto took = Clock::now() - start;
    ::kill(backend, SIGCONT);
    ::kill(m_server->pid(), SIGCONT);

    QVERIFY(!rows);
    QCOMPARE(int(rows.error().kind), int(ErrorKind::Unavailable));
    QVERIFY(!connection.isOpen());
    QVERIFY(took < 5s);
    QVERIFY(connection.reopen());
}

void TstConnection::terminatedBackendIsUnavailable()
{
    auto connection = connect();
    const auto backend = backendOf(connection);
    std::thread killer{[this, backend] {
        auto admin = connect();
        const bool sleeping = support::waitUntil(
            [&] {
                return !admin
                            .run({"watch", "SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND "
                                           "wait_event = 'PgSleep'"},
                                pg::Params{}.integer(static_cast<std::int32_t>(backend)))
                            ->empty();
            },
            10s);
        if (sleeping) terminate(backend);
    }};
    const auto rows = connection.run({"sleep", "SELECT pg_sleep(20)"});
    killer.join();

    QVERIFY(!rows);
    QCOMPARE(rows.error().code, std::string{"57P01"});
    QCOMPARE(int(rows.error().kind), int(ErrorKind::Unavailable));
    QVERIFY(!connection.isOpen());
    QVERIFY(connection.reopen());
    QVERIFY(connection.run({"after", "SELECT 1"}));
}

void TstConnection::killedServerIsUnavailableUntilItIsBack()
{
    auto connection = connect();
    m_server->pause();
    const auto rows = connection.run({"gone", "SELECT 1"});
    const auto reopened = connection.reopen();
    QVERIFY(m_server->resume());

    QVERIFY(!rows);
    QCOMPARE(int(rows.error().kind), int(ErrorKind::Unavailable));
    QVERIFY(!reopened);
    QCOMPARE(int(reopened.error().kind), int(ErrorKind::Unavailable));
    QVERIFY(connection.reopen());
    QVERIFY(connection.run({"back", "SELECT 1"}));
}

void TstConnection::serverThatHungUpMeanwhileIsNoticed()
{
    auto connection = connect();
    terminate(backendOf(connection));

    QVERIFY(support::waitUntil([&] { return !connection.isAlive(); }, 10s));
    QVERIFY(!connection.isOpen());
    QCOMPARE(connection.socket(), -1);
}

void TstConnection::lostAnswerDependsOnHowItWasAsked()
{
    for (const auto& [onDeadline, kind] :
        {std::pair{pg::OnDeadline::Cancel, ErrorKind::Unavailable},
            std::pair{pg::OnDeadline::Abandon, ErrorKind::Unknown}}) {
        const support::TempFolder folder;
        support::FaultProxy proxy{folder.path() + kProxyFile, m_server->socketFile()};
        auto connection
            = connect("postgresql://postgres@/countersign?host=" + folder.path(), 10s);
        proxy.arm(Fault::CutAfterAnswer, "marker");
        const auto rows = connection.runPipeline({{{"cut", "SELECT 'marker'"}}}, onDeadline);

        QVERIFY(!rows);
        QCOMPARE(int(rows.error().kind), int(kind));
        QCOMPARE(rows.error().code, std::string{"08006"});
        QVERIFY(!connection.isOpen());
    }
}

void TstConnection::scriptRunsManyStatements()
{
    auto connection = connect();
    QVERIFY(connection.runScript("CREATE TABLE script (n int); INSERT INTO script VALUES (1), (2);"
                                 "-- a comment; with semicolon\nINSERT INTO script VALUES (3);"));

    QCOMPARE(connection.run({"count", "SELECT count(*) FROM script"})->bigint(0, 0), 3);
    QVERIFY(connection.runScript(""));
    QVERIFY(connection.isIdle());
}

void TstConnection::failingScriptSaysWhy()
{
    auto connection = connect();
    const auto ran = connection.runScript("CREATE TABLE half (n int); SELECT 1 / 0; SELECT 2");

    QVERIFY(!ran);
    QCOMPARE(ran.error().message, std::string{"script: division by zero"});
    QVERIFY(connection.isIdle());
    QVERIFY(connection.run({"none", "SELECT to_regclass('half') IS NULL"})->boolean(0, 0));
}

void TstConnection::copyOutOfAScriptEndsTheConnection()
{
    auto connection = connect();
    const auto ran = connection.runScript("COPY (SELECT 1) TO STDOUT");

    QVERIFY(!ran);
    QVERIFY(!connection.isOpen());
}

void TstConnection::badUrlDoesNotRepeatThePassword()
{
    const auto connection
        = pg::Connection::open({.url = "postgresql://me:s3cret@[::1/db?nonsense"});

    QVERIFY(!connection);
    QCOMPARE(int(connection.error().kind), int(ErrorKind::Invalid));
    QVERIFY(connection.error().message.find("s3cret") == std::string::npos);
}

void TstConnection::unreachableServerIsUnavailable()
{
    const auto connection
        = pg::Connection::open({.url = "postgresql://me:s3cret@/db?host=/nonexistent"});

    QVERIFY(!connection);
    QCOMPARE(int(connection.error().kind), int(ErrorKind::Unavailable));
    QCOMPARE(connection.error().code, std::string{"08001"});
    QVERIFY(connection.error().message.find("s3cret") == std::string::npos);
}

void TstConnection::silentServerTimesOut()
{
    const SilentPort silent;
    const auto start = Clock::now();
    const auto connection = pg::Connection::open(
        {.url = "postgresql://me@127.0.0.1:" + silent.port() + "/db", .connectTimeout = 200ms});

    QVERIFY(!connection);
    QCOMPARE(int(connection.error().kind), int(ErrorKind::Unavailable));
    QVERIFY(Clock::now() - start < 3s);
}

void TstConnection::silentHostDoesNotHideTheNext()
{
    const SilentPort silent;
    const auto folder = m_server->socketFile().substr(0, m_server->socketFile().rfind('/'));
    auto connection = pg::Connection::open({.url = "host=127.0.0.1,/nonexistent," + folder
            + " port=" + silent.port() + ",5432,5432 user=postgres dbname=countersign",
        .connectTimeout = 300ms});

    QVERIFY2(connection, connection ? "" : connection.error().message.c_str());
    QVERIFY(connection->run({"one", "SELECT 1"}));
}

void TstConnection::notificationsWakeAndTimeOut()
{
    auto listener = connect();
    auto speaker = connect();
    QVERIFY(listener.runScript("LISTEN payments"));
    QVERIFY(listener.waitForNotification(20ms)->empty());

    QVERIFY(speaker.runScript("NOTIFY payments"));
    QCOMPARE(*listener.waitForNotification(10s), std::string{"payments"});

    terminate(backendOf(listener));
    const auto after = listener.waitForNotification(10s);
    QVERIFY(!after);
    QCOMPARE(int(after.error().kind), int(ErrorKind::Unavailable));
    QVERIFY(!listener.isOpen());
}

QTEST_GUILESS_MAIN(TstConnection)
#include "tst_connection.moc"
