// Sessions whose process stands still in a transaction are ended, and no others.

#include "processor/watch/session_guard.h"
#include "tests/support/require.h"
#include "tests/support/stack.h"
#include "tests/support/wait.h"

#include <QTest>
#include <libpq-fe.h>
#include <memory>

using namespace std::chrono_literals;

namespace {

struct Finish
{
    void operator()(PGconn* raw) const noexcept { PQfinish(raw); }
};
using Raw = std::unique_ptr<PGconn, Finish>;

class TestSessionGuard : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void whatStandsStillIsEnded_data();
    void whatStandsStillIsEnded();
    void othersAreLeftAlone_data();
    void othersAreLeftAlone();
    void itsLanesAreFreeAtOnce();

private:
    Raw connect(const std::string& user, const std::string& program);
    base::Result<std::int64_t> guard(std::chrono::seconds patience = 1s);
    bool isThere(const Raw& raw);
    void waitUntilOld();

    std::unique_ptr<support::TestStack> m_stack;
    std::unique_ptr<support::Database> m_database;
    base::Alerter m_alerter;
    base::Metrics m_metrics;
};

void exec(const Raw& raw, const char* sql)
{
    PGresult* result = PQexec(raw.get(), sql);
    const bool isGood
        = PQresultStatus(result) == PGRES_COMMAND_OK || PQresultStatus(result) == PGRES_TUPLES_OK;
    PQclear(result);
    QVERIFY2(isGood, PQerrorMessage(raw.get()));
}

// Sent and flushed, but without the Sync that would let a timer of the server run.
void sendHalf(const Raw& raw, const char* sql)
{
    QCOMPARE(PQsendQueryParams(raw.get(), sql, 0, nullptr, nullptr, nullptr, nullptr, 0), 1);
    QCOMPARE(PQsendFlushRequest(raw.get()), 1);
    QCOMPARE(PQflush(raw.get()), 0);
}

void TestSessionGuard::initTestCase()
{
    m_stack = std::make_unique<support::TestStack>();
}

void TestSessionGuard::init()
{
    m_database = std::make_unique<support::Database>(m_stack->createDatabase());
    // The guard has to do it alone.
    m_database->run("ALTER ROLE countersign_processor SET idle_in_transaction_session_timeout = 0");
}

Raw TestSessionGuard::connect(const std::string& user, const std::string& program)
{
    const std::string url = m_database->url()
        + (m_database->url().find('?') == std::string::npos ? "?" : "&")
        + "application_name=" + program + (user.empty() ? "" : "&user=" + user);
    Raw raw{PQconnectdb(url.c_str())};
    if (PQstatus(raw.get()) != CONNECTION_OK) qFatal("%s", PQerrorMessage(raw.get()));
    return raw;
}

base::Result<std::int64_t> TestSessionGuard::guard(std::chrono::seconds patience)
{
    watch::SessionGuard guard{{.url = m_database->url(), .user = "countersign_processor"},
        m_alerter, m_metrics, patience};
    return guard.runOnce();
}

bool TestSessionGuard::isThere(const Raw& raw)
{
    return m_database->value("SELECT count(*) FROM pg_stat_activity WHERE pid = "
               + std::to_string(PQbackendPID(raw.get())))
        == "1";
}

void TestSessionGuard::waitUntilOld()
{
    QVERIFY(support::waitUntil(
        [&] {
            return m_database->value("SELECT count(*) FROM pg_stat_activity WHERE datname ="
                                     " current_database() AND pid <> pg_backend_pid()"
                                     " AND xact_start < clock_timestamp() - interval '1100 ms'")
                == "1";
        },
        20s));
}

void TestSessionGuard::whatStandsStillIsEnded_data()
{
    QTest::addColumn<int>("how");
    QTest::newRow("between two statements") << 0;
    QTest::newRow("in the middle of a pipeline, which no timer of the server covers") << 1;
    QTest::newRow("with an answer it does not read") << 2;
}

void TestSessionGuard::whatStandsStillIsEnded()
{
    QFETCH(int, how);
    const Raw raw = connect("countersign_processor", "countersignd");
    if (how == 0) {
        exec(raw, "BEGIN; SELECT FROM lanes FOR UPDATE");
    } else {
        QCOMPARE(PQenterPipelineMode(raw.get()), 1);
        sendHalf(raw, "BEGIN");
        sendHalf(raw, "SELECT lane FROM lanes FOR UPDATE");
        if (how == 2) sendHalf(raw, "SELECT repeat('x', 1000) FROM generate_series(1, 100000)");
    }
    const std::string wait = how == 2 ? "ClientWrite" : "ClientRead";
    QVERIFY(support::waitUntil(
        [&] {
            return m_database->value("SELECT wait_event FROM pg_stat_activity WHERE pid = "
                       + std::to_string(PQbackendPID(raw.get())))
                == wait;
        },
        20s));
    QCOMPARE(support::require(guard(600s)), 0); // not yet
    waitUntilOld();

    QCOMPARE(support::require(guard()), 1);

    QVERIFY(support::waitUntil([&] { return !isThere(raw); }, 10s));
    QCOMPARE(support::require(guard()), 0);
}

void TestSessionGuard::othersAreLeftAlone_data()
{
    QTest::addColumn<QString>("user");
    QTest::addColumn<QString>("program");
    QTest::addColumn<QString>("does");

    QTest::newRow("a person of another login") << ""
                                               << "psql"
                                               << "BEGIN; SELECT 1";
    QTest::newRow("the same login with another program") << "countersign_processor"
                                                         << "psql"
                                                         << "BEGIN; SELECT 1";
    QTest::newRow("a migration, even by the same program") << ""
                                                           << "countersignd"
                                                           << "BEGIN; SELECT 1";
}

void TestSessionGuard::othersAreLeftAlone()
{
    QFETCH(QString, user);
    QFETCH(QString, program);
    QFETCH(QString, does);
    const Raw raw = connect(user.toStdString(), program.toStdString());
    exec(raw, qPrintable(does));
    waitUntilOld();

    QCOMPARE(support::require(guard()), 0);

    QVERIFY(isThere(raw));
}

void TestSessionGuard::itsLanesAreFreeAtOnce()
{
    const Raw frozen = connect("countersign_processor", "countersignd");
    QCOMPARE(PQenterPipelineMode(frozen.get()), 1);
    sendHalf(frozen, "BEGIN");
    sendHalf(frozen, "SELECT lane FROM lanes FOR UPDATE");
    waitUntilOld();
    const auto freeLanes = [&] {
        return m_database->value(
            "SELECT count(*) FROM (SELECT FROM lanes FOR UPDATE SKIP LOCKED) AS free");
    };
    QCOMPARE(freeLanes(), std::string{"0"});

    QCOMPARE(support::require(guard()), 1);

    QVERIFY(support::waitUntil([&] { return freeLanes() == "64"; }, 10s));
}

} // namespace

QTEST_GUILESS_MAIN(TestSessionGuard)
#include "tst_session_guard.moc"
