#include "processor/pg/connection.h"
#include "tests/processor/pg/server_test.h"

#include <QTest>
#include <csignal>

using base::ErrorKind;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Fault = support::FaultProxy::Fault;

class TstConnectionFaults : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { m_test.startServer(); }
    void deadlineCancelsAndLeavesAUsableConnection();
    void deadlineLeavesACommitToItsStandby();
    void deadlineOfAbandonIsUnknownAndCloses();
    void serverThatDoesNotReadIsGivenUp();
    void frozenServerIsGivenUp();
    void terminatedBackendIsUnavailable();
    void crashedBackendIsUnavailable();
    void killedServerIsUnavailableUntilItIsBack();
    void serverThatHungUpMeanwhileIsNoticed();
    void lostAnswerDependsOnHowItWasAsked();

private:
    ServerTest m_test;
};

void TstConnectionFaults::deadlineCancelsAndLeavesAUsableConnection()
{
    auto connection = m_test.connect(200ms);
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

// A statement that commits by itself waits for a synchronous standby as any commit does. Cancelled
// there it would count as committed although the standby never had it.
void TstConnectionFaults::deadlineLeavesACommitToItsStandby()
{
    m_test.script("CREATE TABLE notes (note text)");
    m_test.script("ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
    auto connection = m_test.connect();
    auto reader = m_test.connect();
    const auto notes = [&] {
        return support::require(reader.run({"notes", "SELECT count(*) FROM notes"})).bigint(0, 0);
    };
    const auto isForStandbys = [&](const std::string& names) {
        support::require(reader.run({"reload", "SELECT pg_reload_conf()"}));
        return support::waitUntil(
            [&] {
                auto rows
                    = reader.run({"names", "SELECT current_setting('synchronous_standby_names')"});
                return support::require(std::move(rows)).text(0, 0) == names;
            },
            10s);
    };
    QVERIFY(isForStandbys("nobody"));

    connection.setStatementTimeout(200ms);
    const auto written = connection.run({"write", "INSERT INTO notes VALUES ('a')"});

    QCOMPARE(int(written.error().kind), int(ErrorKind::Unavailable));
    QVERIFY(!connection.isOpen());
    QVERIFY(!support::waitUntil([&] { return notes() != 0; }, 500ms)); // it still waits
    m_test.script("ALTER SYSTEM RESET synchronous_standby_names");
    QVERIFY(isForStandbys(""));
    QVERIFY(support::waitUntil([&] { return notes() == 1; }, 10s));
}

void TstConnectionFaults::deadlineOfAbandonIsUnknownAndCloses()
{
    auto connection = m_test.connect(100ms);
    const auto rows
        = connection.runPipeline({{{"slow", "SELECT pg_sleep(30)"}}}, pg::OnDeadline::Abandon);

    QVERIFY(!rows);
    QCOMPARE(int(rows.error().kind), int(ErrorKind::Unknown));
    QVERIFY(!connection.isOpen());
    QCOMPARE(int(connection.run({"after", "SELECT 1"}).error().kind), int(ErrorKind::Unavailable));
    QVERIFY(connection.reopen());
    QVERIFY(connection.run({"after", "SELECT 1"}));
}

// Everything the client sends gets stuck; the cancel request cannot get through either.
void TstConnectionFaults::serverThatDoesNotReadIsGivenUp()
{
    BreakableLine line{m_test.server()};
    auto connection = line.connect(200ms);
    line->arm(Fault::Stall);
    const auto start = Clock::now();
    const auto rows = connection.run(
        {"large", "SELECT length($1)"}, pg::Params{}.text(std::string(8'000'000, 'x')));

    QVERIFY(!rows);
    QCOMPARE(int(rows.error().kind), int(ErrorKind::Unavailable));
    QVERIFY(!connection.isOpen());
    QVERIFY(Clock::now() - start < 5s);
}

// The kernel still accepts connections for a stopped postmaster, but nobody answers a cancel.
void TstConnectionFaults::frozenServerIsGivenUp()
{
    auto connection = m_test.connect(200ms);
    const auto backend = static_cast<pid_t>(ServerTest::backendOf(connection));
    ::kill(m_test.server().pid(), SIGSTOP);
    ::kill(backend, SIGSTOP);
    const auto start = Clock::now();
    const auto rows = connection.run({"frozen", "SELECT 1"});
    const auto took = Clock::now() - start;
    ::kill(backend, SIGCONT);
    ::kill(m_test.server().pid(), SIGCONT);

    QVERIFY(!rows);
    QCOMPARE(int(rows.error().kind), int(ErrorKind::Unavailable));
    QVERIFY(!connection.isOpen());
    QVERIFY(took < 5s);
    QVERIFY(connection.reopen());
}

void TstConnectionFaults::terminatedBackendIsUnavailable()
{
    auto connection = m_test.connect();
    const int backend = ServerTest::backendOf(connection);
    const auto killer
        = m_test.whenWaiting(backend, "PgSleep", [this, backend] { m_test.terminate(backend); });
    const auto rows = connection.run({"sleep", "SELECT pg_sleep(20)"});

    QVERIFY(!rows);
    QCOMPARE(rows.error().code, std::string{"57P01"});
    QCOMPARE(int(rows.error().kind), int(ErrorKind::Unavailable));
    QVERIFY(!connection.isOpen());
    QVERIFY(connection.reopen());
    QVERIFY(connection.run({"after", "SELECT 1"}));
}

// The postmaster then ends everybody and recovers.
void TstConnectionFaults::crashedBackendIsUnavailable()
{
    auto connection = m_test.connect();
    auto bystander = m_test.connect();
    const int backend = ServerTest::backendOf(connection);
    auto killer = m_test.whenWaiting(backend, "PgSleep", [backend] { ::kill(backend, SIGKILL); });
    const auto rows = connection.run({"sleep", "SELECT pg_sleep(20)"});
    killer.join();
    const auto others = bystander.run({"bystander", "SELECT pg_sleep(20)"});

    QVERIFY(!rows && !others);
    QCOMPARE(int(rows.error().kind), int(ErrorKind::Unavailable));
    QCOMPARE(int(others.error().kind), int(ErrorKind::Unavailable));
    QVERIFY(support::waitUntil([&] { return bool(connection.reopen()); }, 20s));
    QVERIFY(connection.run({"after", "SELECT 1"}));
}

void TstConnectionFaults::killedServerIsUnavailableUntilItIsBack()
{
    auto connection = m_test.connect();
    m_test.server().pause();
    const auto rows = connection.run({"gone", "SELECT 1"});
    const auto reopened = connection.reopen();
    QVERIFY(m_test.server().resume());

    QVERIFY(!rows);
    QCOMPARE(int(rows.error().kind), int(ErrorKind::Unavailable));
    QVERIFY(!reopened);
    QCOMPARE(int(reopened.error().kind), int(ErrorKind::Unavailable));
    QVERIFY(connection.reopen());
    QVERIFY(connection.run({"back", "SELECT 1"}));
}

void TstConnectionFaults::serverThatHungUpMeanwhileIsNoticed()
{
    auto connection = m_test.connect();
    m_test.terminate(ServerTest::backendOf(connection));

    QVERIFY(support::waitUntil([&] { return !connection.isAlive(); }, 10s));
    QVERIFY(!connection.isOpen());
    QCOMPARE(connection.socket(), -1);
}

void TstConnectionFaults::lostAnswerDependsOnHowItWasAsked()
{
    for (const auto& [onDeadline, kind] :
        {std::pair{pg::OnDeadline::Cancel, ErrorKind::Unavailable},
            std::pair{pg::OnDeadline::Abandon, ErrorKind::Unknown}}) {
        BreakableLine line{m_test.server()};
        auto connection = line.connect(10s);
        line->arm(Fault::CutAfterAnswer, "marker");
        const auto rows = connection.runPipeline({{{"cut", "SELECT 'marker'"}}}, onDeadline);

        QVERIFY(!rows);
        QCOMPARE(int(rows.error().kind), int(kind));
        QCOMPARE(rows.error().code, std::string{"08006"});
        QVERIFY(!connection.isOpen());
    }
}

QTEST_GUILESS_MAIN(TstConnectionFaults)
#include "tst_connection_faults.moc"
