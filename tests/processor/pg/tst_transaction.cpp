#include "processor/pg/transaction.h"
#include "tests/processor/pg/server_test.h"

#include <QTest>

using base::ErrorKind;
using namespace std::chrono_literals;

namespace {

constexpr pg::Statement kInsert{"insert", "INSERT INTO entries VALUES ($1)"};
constexpr pg::Statement kCount{"count", "SELECT count(*) FROM entries"};

pg::Params number(int value)
{
    return pg::Params{}.integer(value);
}

} // namespace

class TstTransaction : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { m_test.startServer(); }
    void init() { m_test.script("DROP TABLE IF EXISTS entries; CREATE TABLE entries (n int)"); }
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
    void deadlockHasOneVictim();

private:
    std::int64_t entries() const { return m_test.connect().run(kCount)->bigint(0, 0); }

    ServerTest m_test;
};

void TstTransaction::eachSendIsOneRoundTrip()
{
    auto connection = m_test.connect();
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
    auto connection = m_test.connect();
    QVERIFY(connection.runScript("SET default_transaction_isolation = 'serializable'"));
    pg::Transaction transaction{connection, {.statement = 1234ms, .lock = 567ms}};
    transaction.add(settings);
    const auto inside = transaction.commit();
    const auto outside = connection.run(settings);

    QVERIFY(inside->front().text(0, 0) == "read committed");
    QVERIFY(inside->front().text(0, 1) == "1234ms");
    QVERIFY(inside->front().text(0, 2) == "567ms");
    QVERIFY(outside->text(0, 1) == "10s"); // the connection's own
    QVERIFY(outside->text(0, 2) == "0");
}

void TstTransaction::leavingTheScopeRollsBack()
{
    auto connection = m_test.connect();
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
    auto connection = m_test.connect();
    connection.close();
    pg::Transaction transaction{connection};

    QVERIFY(transaction.send()->empty());
    QVERIFY(transaction.commit()->empty());
    QCOMPARE(transaction.roundTrips(), 0);
    QVERIFY(!connection.isOpen());
}

void TstTransaction::failedStatementEndsIt()
{
    auto connection = m_test.connect();
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
    auto connection = m_test.connect();
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
    m_test.script(
        "ALTER TABLE entries ADD CONSTRAINT once UNIQUE (n) DEFERRABLE INITIALLY DEFERRED");
    auto connection = m_test.connect();
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
    auto connection = m_test.connect();
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
    auto connection = m_test.connect();
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
    auto holder = m_test.connect();
    auto waiter = m_test.connect();
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

void TstTransaction::deadlockHasOneVictim()
{
    m_test.script("INSERT INTO entries VALUES (1), (2)");
    constexpr pg::Statement lock{"lock", "SELECT 1 FROM entries WHERE n = $1 FOR UPDATE"};
    auto one = m_test.connect();
    auto two = m_test.connect();
    const int backendOfTwo = ServerTest::backendOf(two);
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
    const bool waiting = m_test.waitsFor(backendOfTwo, "Lock");
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
