#include "processor/pg/transaction.h"
#include "tests/support/fault_proxy.h"
#include "tests/support/postgres_server.h"
#include "tests/support/wait.h"

#include <QtTest>
#include <chrono>
#include <poll.h>
#include <thread>

using base::ErrorKind;
using namespace std::chrono_literals;
using Fault = support::FaultProxy::Fault;

namespace {

constexpr pg::Statement kInsert{"insert", "INSERT INTO entries VALUES ($1)"};
constexpr pg::Statement kCount{"count", "SELECT count(*) FROM entries"};
constexpr const char* kCommitText = "-- name: transaction_commit";

pg::Params number(int value)
{
    return pg::Params{}.integer(value);
}

} // namespace

class TstTransaction : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void eachSendIsOneRoundTrip();
    void isReadCommittedWithLocalLimits();
    void leavingTheScopeRollsBack();
    void emptyOneTouchesNothing();
    void failedStatementEndsIt();
    void failedStatementBesideCommitIsNotUnknown();
    void failureOfCommitItselfIsKnown();
    void commitAnsweredByRollbackIsConflict();
    void statementTimeoutIsConflict();
    void lockTimeoutIsConflict();
    void commitWhoseAnswerIsLostIsUnknown_data();
    void commitWhoseAnswerIsLostIsUnknown();
    void lineCutBeforeCommitIsSentIsUnavailable();
    void backendEndedBeforeCommitIsUnavailable();
    void backendEndedWithinCommitIsUnknown();
    void commitTheStandbyDidNotConfirmIsUnknown();
    void commitTheStandbyNeverConfirmsIsUnknown();
    void closedConnectionIsReopenedOnce();
    void connectionTheServerLeftIsReopened();
    void connectionThatCannotRollBackIsClosed();
    void deadlockHasOneVictim();

private:
    pg::Connection connect(std::chrono::milliseconds limit = 10s) const
    {
        return connect(m_server->url(), limit);
    }
    static pg::Connection connect(const std::string& url, std::chrono::milliseconds limit = 10s)
    {
        auto connection = pg::Connection::open({.url = url, .statementTimeout = limit});
        if (!connection) qFatal("%s", connection.error().message.c_str());
        return std::move(*connection);
    }
    static std::string proxyUrl(const support::TempFolder& folder)
    {
        return "postgresql://postgres@/countersign?host=" + folder.path();
    }
    std::int64_t entries() const { return connect().run(kCount)->bigint(0, 0); }
    void script(const std::string& text) const
    {
        const auto ran = connect().runScript(text);
        if (!ran) qFatal("%s", ran.error().message.c_str());
    }
    static int backendOf(pg::Connection& connection)
    {
        return static_cast<int>(
            connection.run({"pid", "SELECT pg_backend_pid()"})->bigint(0, 0));
    }
    // Calls `function` (a signalling function of the server) once the backend waits for `event`.
    std::thread whenWaiting(int backend, const char* event, const char* function) const
    {
        return std::thread{[this, backend, event, function] {
            auto admin = connect();
            const bool there = support::waitUntil(
                [&] {
                    const auto seen = admin.run({"watch", "SELECT 1 FROM pg_stat_activity WHERE "
                                                          "pid = $1 AND wait_event = $2"},
                        number(backend).text(event));
                    return !seen->empty();
                },
                10s);
            if (there) (void)admin.run({"signal", function}, number(backend));
        }};
    }

    // Commits wait for a standby that does not exist from here on. The checkpointer announces the
    // setting to the others some time after the reload, which only a commit that waits can show.
    bool requireStandby() const
    {
        script("CREATE TABLE IF NOT EXISTS probes (n int)");
        script("ALTER SYSTEM SET synchronous_standby_names = 'ghost'");
        script("SELECT pg_reload_conf()");
        return support::waitUntil(
            [this] {
                auto connection = connect(100ms);
                return !connection.runPipeline({{{"probe", "INSERT INTO probes VALUES (1)"}}},
                    pg::OnDeadline::Abandon);
            },
            10s);
    }
    void forgetStandby() const
    {
        script("ALTER SYSTEM RESET synchronous_standby_names");
        script("SELECT pg_reload_conf()");
    }

    std::unique_ptr<support::PostgresServer> m_server;
};

void TstTransaction::initTestCase()
{
    auto server = support::PostgresServer::start();
    QVERIFY2(server, server ? "" : server.error().message.c_str());
    m_server = std::move(*server);
}

void TstTransaction::init()
{
    script("DROP TABLE IF EXISTS entries; CREATE TABLE entries (n int)");
}

void TstTransaction::eachSendIsOneRoundTrip()
{
    auto connection = connect();
    pg::Transaction transaction{connection};
    transaction.add(kCount).add(kInsert, number(1));
    const auto first = transaction.send();
    transaction.add(kInsert, number(2));
    const auto second = transaction.send();
    transaction.add(kCount).add(kInsert, number(3));
    const auto third = transaction.commit();

    QVERIFY(first && second && third);
    QCOMPARE(first->size(), std::size_t{2});
    QCOMPARE(first->front().bigint(0, 0), 0);
    QCOMPARE(second->size(), std::size_t{1});
    QCOMPARE(second->front().affected(), 1);
    QCOMPARE(third->size(), std::size_t{2});
    QCOMPARE(third->front().bigint(0, 0), 2);
    QCOMPARE(transaction.roundTrips(), 3);
    QCOMPARE(entries(), 3);
    QVERIFY(connection.isIdle());
    QCOMPARE(int(transaction.send().error().kind), int(ErrorKind::Corrupt));
}

void TstTransaction::isReadCommittedWithLocalLimits()
{
    constexpr pg::Statement settings{"settings",
        "SELECT current_setting('transaction_isolation'), current_setting('statement_timeout'), "
        "current_setting('lock_timeout')"};
    auto connection = connect();
    QVERIFY(connection.runScript("SET default_transaction_isolation = 'serializable'"));
    pg::Transaction transaction{connection, {.statement = 1234ms, .lock = 567ms}};
    transaction.add(settings);
    const auto inside = transaction.commit();
    const auto outside = connection.run(settings);

    QVERIFY(inside->front().text(0, 0) == "read committed");
    QVERIFY(inside->front().text(0, 1) == "1234ms");
    QVERIFY(inside->front().text(0, 2) == "567ms");
    QVERIFY(outside->text(0, 1) == "0");
    QVERIFY(outside->text(0, 2) == "0");
}

void TstTransaction::leavingTheScopeRollsBack()
{
    auto connection = connect();
    {
        pg::Transaction transaction{connection};
        transaction.add(kInsert, number(1));
        QVERIFY(transaction.send());
        QVERIFY(!connection.isIdle());
    }
    QVERIFY(connection.isIdle());
    QCOMPARE(entries(), 0);
}

void TstTransaction::emptyOneTouchesNothing()
{
    auto connection = connect();
    connection.close();
    pg::Transaction transaction{connection};

    QVERIFY(transaction.send()->empty());
    QVERIFY(transaction.commit()->empty());
    QCOMPARE(transaction.roundTrips(), 0);
    QVERIFY(!connection.isOpen());
}

void TstTransaction::failedStatementEndsIt()
{
    auto connection = connect();
    pg::Transaction transaction{connection};
    transaction.add(kInsert, number(1)).add({"bad", "SELECT 1 / 0"}).add(kInsert, number(2));
    const auto sent = transaction.send();
    transaction.add(kInsert, number(3));
    const auto committed = transaction.commit();

    QVERIFY(!sent && !committed);
    QCOMPARE(sent.error().message, std::string{"bad: division by zero"});
    QCOMPARE(committed.error().message, sent.error().message);
    QVERIFY(connection.isIdle());
    QCOMPARE(entries(), 0);
}

void TstTransaction::failedStatementBesideCommitIsNotUnknown()
{
    auto connection = connect();
    pg::Transaction transaction{connection};
    transaction.add(kInsert, number(1)).add({"bad", "SELECT 1 / 0"});
    const auto committed = transaction.commit();

    QVERIFY(!committed);
    QCOMPARE(int(committed.error().kind), int(ErrorKind::Invalid));
    QCOMPARE(committed.error().message, std::string{"bad: division by zero"});
    QVERIFY(connection.isIdle());
    QCOMPARE(entries(), 0);
}

void TstTransaction::failureOfCommitItselfIsKnown()
{
    script("ALTER TABLE entries ADD CONSTRAINT once UNIQUE (n) DEFERRABLE INITIALLY DEFERRED");
    auto connection = connect();
    pg::Transaction transaction{connection};
    transaction.add(kInsert, number(1)).add(kInsert, number(1));
    const auto committed = transaction.commit();

    QVERIFY(!committed);
    QCOMPARE(int(committed.error().kind), int(ErrorKind::Invalid));
    QCOMPARE(committed.error().constraint, std::string{"once"});
    QVERIFY(committed.error().message.starts_with("transaction_commit: "));
    QVERIFY(connection.isIdle());
    QCOMPARE(entries(), 0);
}

void TstTransaction::commitAnsweredByRollbackIsConflict()
{
    auto connection = connect();
    pg::Transaction transaction{connection};
    transaction.add(kInsert, number(1));
    QVERIFY(transaction.send());
    QVERIFY(!connection.run({"behind its back", "SELECT 1 / 0"}));
    const auto committed = transaction.commit();

    QVERIFY(!committed);
    QCOMPARE(int(committed.error().kind), int(ErrorKind::Conflict));
    QVERIFY(connection.isIdle());
}

void TstTransaction::statementTimeoutIsConflict()
{
    auto connection = connect();
    pg::Transaction transaction{connection, {.statement = 50ms}};
    transaction.add({"sleep", "SELECT pg_sleep(20)"});
    const auto committed = transaction.commit();

    QVERIFY(!committed);
    QCOMPARE(committed.error().code, std::string{"57014"});
    QCOMPARE(int(committed.error().kind), int(ErrorKind::Conflict));
    QVERIFY(connection.isIdle());
}

void TstTransaction::lockTimeoutIsConflict()
{
    auto holder = connect();
    auto waiter = connect();
    pg::Transaction holds{holder};
    holds.add({"lock", "LOCK TABLE entries"});
    QVERIFY(holds.send());
    pg::Transaction waits{waiter, {.lock = 50ms}};
    waits.add(kInsert, number(1));
    const auto committed = waits.commit();

    QVERIFY(!committed);
    QCOMPARE(committed.error().code, std::string{"55P03"});
    QCOMPARE(int(committed.error().kind), int(ErrorKind::Conflict));
    QVERIFY(waiter.isIdle());
}

void TstTransaction::commitWhoseAnswerIsLostIsUnknown_data()
{
    QTest::addColumn<int>("fault");
    QTest::addColumn<int>("committed");

    QTest::newRow("cut after the commit") << int(Fault::CutAfterAnswer) << 1;
    QTest::newRow("cut before the commit") << int(Fault::CutBefore) << 0;
    QTest::newRow("answer later than the deadline") << int(Fault::LoseAnswers) << 1;
}

void TstTransaction::commitWhoseAnswerIsLostIsUnknown()
{
    QFETCH(int, fault);
    QFETCH(int, committed);
    const support::TempFolder folder;
    support::FaultProxy proxy{folder.path() + "/.s.PGSQL.5432", m_server->socketFile()};
    auto connection = connect(proxyUrl(folder), 500ms);
    pg::Transaction transaction{connection};
    transaction.add(kInsert, number(1));
    QVERIFY(transaction.send());

    proxy.arm(Fault(fault), kCommitText);
    const auto answer = transaction.commit();

    QVERIFY(!answer);
    QVERIFY(proxy.hasStruck());
    QCOMPARE(int(answer.error().kind), int(ErrorKind::Unknown));
    QCOMPARE(int(transaction.commit().error().kind), int(ErrorKind::Unknown));
    QVERIFY(!connection.isOpen());
    QCOMPARE(entries(), committed);
}

void TstTransaction::lineCutBeforeCommitIsSentIsUnavailable()
{
    const support::TempFolder folder;
    support::FaultProxy proxy{folder.path() + "/.s.PGSQL.5432", m_server->socketFile()};
    auto connection = connect(proxyUrl(folder));
    pg::Transaction transaction{connection};
    proxy.arm(Fault::CutAfterAnswer, "INSERT INTO entries");
    transaction.add(kInsert, number(1));
    const auto sent = transaction.send();
    const auto committed = transaction.commit();

    QVERIFY(!sent && !committed);
    QCOMPARE(int(sent.error().kind), int(ErrorKind::Unavailable));
    QCOMPARE(int(committed.error().kind), int(ErrorKind::Unavailable));
    QCOMPARE(entries(), 0);
}

void TstTransaction::backendEndedBeforeCommitIsUnavailable()
{
    auto connection = connect();
    auto killer = whenWaiting(
        backendOf(connection), "PgSleep", "SELECT pg_terminate_backend($1, 5000)");
    pg::Transaction transaction{connection, {.statement = 0ms}};
    transaction.add(kInsert, number(1)).add({"sleep", "SELECT pg_sleep(20)"});
    const auto committed = transaction.commit();
    killer.join();

    // The server said which statement it died of, and COMMIT comes after it.
    QVERIFY(!committed);
    QCOMPARE(committed.error().code, std::string{"57P01"});
    QCOMPARE(int(committed.error().kind), int(ErrorKind::Unavailable));
    QCOMPARE(entries(), 0);
}

void TstTransaction::backendEndedWithinCommitIsUnknown()
{
    script("CREATE OR REPLACE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS "
           "'BEGIN PERFORM pg_sleep(20); RETURN NULL; END';"
           "CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON entries DEFERRABLE INITIALLY DEFERRED "
           "FOR EACH ROW EXECUTE FUNCTION slow()");
    auto connection = connect();
    auto killer = whenWaiting(
        backendOf(connection), "PgSleep", "SELECT pg_terminate_backend($1, 5000)");
    pg::Transaction transaction{connection, {.statement = 0ms}};
    transaction.add(kInsert, number(1));
    const auto committed = transaction.commit();
    killer.join();

    QVERIFY(!committed);
    QCOMPARE(int(committed.error().kind), int(ErrorKind::Unknown));
    QVERIFY(!connection.isOpen());
}

void TstTransaction::commitTheStandbyDidNotConfirmIsUnknown()
{
    auto connection = connect();
    const int backend = backendOf(connection);
    QVERIFY(requireStandby());

    auto canceller = whenWaiting(backend, "SyncRep", "SELECT pg_cancel_backend($1)");
    pg::Transaction transaction{connection};
    transaction.add(kInsert, number(1));
    const auto committed = transaction.commit();
    canceller.join();
    const bool uncertain = connection.replicationWasUncertain();
    forgetStandby();

    QVERIFY(!committed);
    QCOMPARE(int(committed.error().kind), int(ErrorKind::Unknown));
    QVERIFY(uncertain);
    QVERIFY(connection.isIdle());
    QVERIFY(connection.run(kCount));
    QVERIFY(!connection.replicationWasUncertain());
}

void TstTransaction::commitTheStandbyNeverConfirmsIsUnknown()
{
    auto connection = connect(300ms);
    QVERIFY(requireStandby());
    pg::Transaction transaction{connection};
    transaction.add(kInsert, number(1));
    const auto committed = transaction.commit();
    forgetStandby();

    QVERIFY(!committed);
    QCOMPARE(int(committed.error().kind), int(ErrorKind::Unknown));
    QVERIFY(!connection.isOpen());
    // Nobody cancelled it: the commit stands once the wait for the standby is over.
    QTRY_COMPARE(entries(), 1);
}

void TstTransaction::closedConnectionIsReopenedOnce()
{
    auto connection = connect();
    connection.close();
    pg::Transaction transaction{connection};
    transaction.add(kInsert, number(1));
    QVERIFY(transaction.commit());
    QCOMPARE(entries(), 1);

    connection.close();
    m_server->pause();
    pg::Transaction second{connection};
    second.add(kInsert, number(2));
    const auto committed = second.commit();
    QVERIFY(m_server->resume());
    QVERIFY(!committed);
    QCOMPARE(int(committed.error().kind), int(ErrorKind::Unavailable)); // nothing was sent
    QCOMPARE(entries(), 1);
}

void TstTransaction::connectionTheServerLeftIsReopened()
{
    auto connection = connect();
    QVERIFY(connect().run(
        {"end", "SELECT pg_terminate_backend($1, 5000)"}, number(backendOf(connection))));
    // Our end of the socket hears of it a moment later.
    pollfd hangUp{connection.socket(), POLLIN, 0};
    QCOMPARE(::poll(&hangUp, 1, 10'000), 1);
    pg::Transaction transaction{connection};
    transaction.add(kInsert, number(1));

    QVERIFY(transaction.commit());
    QCOMPARE(entries(), 1);
}

void TstTransaction::connectionThatCannotRollBackIsClosed()
{
    const support::TempFolder folder;
    support::FaultProxy proxy{folder.path() + "/.s.PGSQL.5432", m_server->socketFile()};
    auto connection = connect(proxyUrl(folder), 300ms);
    {
        pg::Transaction transaction{connection};
        transaction.add(kInsert, number(1));
        QVERIFY(transaction.send());
        proxy.arm(Fault::LoseAnswers);
    }
    QVERIFY(!connection.isOpen());
    QCOMPARE(entries(), 0);
}

void TstTransaction::deadlockHasOneVictim()
{
    script("INSERT INTO entries VALUES (1), (2)");
    constexpr pg::Statement lock{"lock", "SELECT 1 FROM entries WHERE n = $1 FOR UPDATE"};
    auto one = connect();
    auto two = connect();
    const int backendOfTwo = backendOf(two);
    pg::Transaction first{one, {.lock = 0ms}};
    pg::Transaction second{two, {.lock = 0ms}};
    QVERIFY(first.add(lock, number(1)).send());
    QVERIFY(second.add(lock, number(2)).send());

    std::string code;
    std::thread other{[&] {
        second.add(lock, number(1));
        if (const auto sent = second.send(); !sent) code = sent.error().code;
        second.rollback();
    }};
    auto probe = connect();
    const bool waiting = support::waitUntil(
        [&] {
            return !probe
                        .run({"watch", "SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND "
                                       "wait_event_type = 'Lock'"},
                            number(backendOfTwo))
                        ->empty();
        },
        10s);
    const auto sent = first.add(lock, number(2)).send();
    first.rollback();
    other.join();

    QVERIFY(waiting);
    if (!sent) code += sent.error().code;
    QCOMPARE(code, std::string{"40P01"});
    QVERIFY(one.isIdle() && two.isIdle());
}

QTEST_GUILESS_MAIN(TstTransaction)
#include "tst_transaction.moc"
