#include "processor/pg/transaction.h"
#include "tests/processor/pg/server_test.h"

#include <QTest>
#include <poll.h>

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

class TstTransactionFaults : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { m_test.startServer(); }
    void init() { m_test.script("DROP TABLE IF EXISTS entries; CREATE TABLE entries (n int)"); }
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

private:
    std::int64_t entries() const { return m_test.connect().run(kCount)->bigint(0, 0); }

    // Commits wait for a standby that does not exist from here on. The checkpointer announces the
    // setting to the others some time after the reload, which only a commit that waits can show.
    bool requireStandby() const
    {
        m_test.script("CREATE TABLE IF NOT EXISTS probes (n int)");
        m_test.script("ALTER SYSTEM SET synchronous_standby_names = 'ghost'");
        m_test.script("SELECT pg_reload_conf()");
        return support::waitUntil(
            [this] {
                auto connection = m_test.connect(100ms);
                return !connection.runPipeline(
                    {{{"probe", "INSERT INTO probes VALUES (1)"}}}, pg::OnDeadline::Abandon);
            },
            10s);
    }
    void forgetStandby() const
    {
        m_test.script("ALTER SYSTEM RESET synchronous_standby_names");
        m_test.script("SELECT pg_reload_conf()");
    }

    ServerTest m_test;
};

void TstTransactionFaults::commitWhoseAnswerIsLostIsUnknown_data()
{
    QTest::addColumn<int>("fault");
    QTest::addColumn<int>("committed");

    QTest::newRow("cut after the commit") << int(Fault::CutAfterAnswer) << 1;
    QTest::newRow("cut before the commit") << int(Fault::CutBefore) << 0;
    QTest::newRow("answer later than the deadline") << int(Fault::LoseAnswers) << 1;
}

void TstTransactionFaults::commitWhoseAnswerIsLostIsUnknown()
{
    QFETCH(int, fault);
    QFETCH(int, committed);
    BreakableLine line{m_test.server()};
    auto connection = line.connect(500ms);
    pg::Transaction transaction{connection};
    transaction.add(kInsert, number(1));
    QVERIFY(transaction.send());

    line->arm(Fault(fault), kCommitText);
    const auto answer = transaction.commit();

    QVERIFY(!answer);
    QVERIFY(line->hasStruck());
    QCOMPARE(int(answer.error().kind), int(ErrorKind::Unknown));
    QCOMPARE(int(transaction.commit().error().kind), int(ErrorKind::Unknown));
    QVERIFY(!connection.isOpen());
    QCOMPARE(entries(), committed);
}

void TstTransactionFaults::lineCutBeforeCommitIsSentIsUnavailable()
{
    BreakableLine line{m_test.server()};
    auto connection = line.connect();
    pg::Transaction transaction{connection};
    line->arm(Fault::CutAfterAnswer, "INSERT INTO entries");
    transaction.add(kInsert, number(1));
    const auto sent = transaction.send();
    const auto committed = transaction.commit();

    QVERIFY(!sent && !committed);
    QCOMPARE(int(sent.error().kind), int(ErrorKind::Unavailable));
    QCOMPARE(int(committed.error().kind), int(ErrorKind::Unavailable));
    QCOMPARE(entries(), 0);
}

void TstTransactionFaults::backendEndedBeforeCommitIsUnavailable()
{
    auto connection = m_test.connect();
    const int backend = ServerTest::backendOf(connection);
    const auto killer
        = m_test.whenWaiting(backend, "PgSleep", [this, backend] { m_test.terminate(backend); });
    pg::Transaction transaction{connection, {.statement = 0ms}};
    transaction.add(kInsert, number(1)).add({"sleep", "SELECT pg_sleep(20)"});
    const auto committed = transaction.commit();

    // The server said which statement it died of, and COMMIT comes after it.
    QVERIFY(!committed);
    QCOMPARE(committed.error().code, std::string{"57P01"});
    QCOMPARE(int(committed.error().kind), int(ErrorKind::Unavailable));
    QCOMPARE(entries(), 0);
}

void TstTransactionFaults::backendEndedWithinCommitIsUnknown()
{
    m_test.script(
        "CREATE OR REPLACE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS "
        "'BEGIN PERFORM pg_sleep(20); RETURN NULL; END';"
        "CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON entries DEFERRABLE INITIALLY DEFERRED "
        "FOR EACH ROW EXECUTE FUNCTION slow()");
    auto connection = m_test.connect();
    const int backend = ServerTest::backendOf(connection);
    const auto killer
        = m_test.whenWaiting(backend, "PgSleep", [this, backend] { m_test.terminate(backend); });
    pg::Transaction transaction{connection, {.statement = 0ms}};
    transaction.add(kInsert, number(1));
    const auto committed = transaction.commit();

    QVERIFY(!committed);
    QCOMPARE(int(committed.error().kind), int(ErrorKind::Unknown));
    QVERIFY(!connection.isOpen());
}

void TstTransactionFaults::commitTheStandbyDidNotConfirmIsUnknown()
{
    auto connection = m_test.connect();
    const int backend = ServerTest::backendOf(connection);
    QVERIFY(requireStandby());

    const auto canceller = m_test.whenWaiting(backend, "SyncRep", [this, backend] {
        support::require(
            m_test.connect().run({"cancel", "SELECT pg_cancel_backend($1)"}, number(backend)));
    });
    pg::Transaction transaction{connection};
    transaction.add(kInsert, number(1));
    const auto committed = transaction.commit();
    const bool uncertain = connection.replicationWasUncertain();
    forgetStandby();

    QVERIFY(!committed);
    QCOMPARE(int(committed.error().kind), int(ErrorKind::Unknown));
    QVERIFY(uncertain);
    QVERIFY(connection.isIdle());
    QVERIFY(connection.run(kCount));
    QVERIFY(!connection.replicationWasUncertain());
}

void TstTransactionFaults::commitTheStandbyNeverConfirmsIsUnknown()
{
    auto connection = m_test.connect(300ms);
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

void TstTransactionFaults::closedConnectionIsReopenedOnce()
{
    auto connection = m_test.connect();
    connection.close();
    pg::Transaction transaction{connection};
    transaction.add(kInsert, number(1));
    QVERIFY(transaction.commit());
    QCOMPARE(entries(), 1);

    connection.close();
    m_test.server().pause();
    pg::Transaction second{connection};
    second.add(kInsert, number(2));
    const auto committed = second.commit();
    QVERIFY(m_test.server().resume());
    QVERIFY(!committed);
    QCOMPARE(int(committed.error().kind), int(ErrorKind::Unavailable)); // nothing was sent
    QCOMPARE(entries(), 1);
}

void TstTransactionFaults::connectionTheServerLeftIsReopened()
{
    auto connection = m_test.connect();
    m_test.terminate(ServerTest::backendOf(connection));
    // Our end of the socket hears of it a moment later.
    pollfd hangUp{connection.socket(), POLLIN, 0};
    QCOMPARE(::poll(&hangUp, 1, 10'000), 1);
    pg::Transaction transaction{connection};
    transaction.add(kInsert, number(1));

    QVERIFY(transaction.commit());
    QCOMPARE(entries(), 1);
}

void TstTransactionFaults::connectionThatCannotRollBackIsClosed()
{
    BreakableLine line{m_test.server()};
    auto connection = line.connect(300ms);
    {
        pg::Transaction transaction{connection};
        transaction.add(kInsert, number(1));
        QVERIFY(transaction.send());
        line->arm(Fault::LoseAnswers);
    }
    QVERIFY(!connection.isOpen());
    QCOMPARE(entries(), 0);
}

QTEST_GUILESS_MAIN(TstTransactionFaults)
#include "tst_transaction_faults.moc"
