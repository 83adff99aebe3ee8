#include "processor/pg/connection.h"
#include "tests/processor/pg/server_test.h"

#include <QTest>

using base::ErrorKind;
using namespace std::chrono_literals;

class TstConnection : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { m_test.startServer(); }
    void runsOneStatement();
    void namesTheFailingStatementOfAPipeline();
    void pipelineIsOneImplicitTransaction();
    void failureAtTheSyncBelongsToTheLastStatement();
    void constraintNameIsHandedOn();
    void megabytesBothWaysDoNotDeadlock();
    void scriptRunsManyStatements();
    void failingScriptSaysWhy();
    void copyOutOfAScriptEndsTheConnection();
    void notificationsWakeAndTimeOut();

private:
    ServerTest m_test;
};

void TstConnection::runsOneStatement()
{
    auto connection = m_test.connect();
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
    auto connection = m_test.connect();
    const auto rows = connection.runPipeline(
        {{{"first", "SELECT 1"}}, {{"second", "SELECT 1 / $1::int"}, pg::Params{}.integer(0)},
            {{"third", "SELECT nonsense"}}});

    QVERIFY(!rows);
    QCOMPARE(rows.error().message, std::string{"second: division by zero"});
    QCOMPARE(rows.error().code, std::string{"22012"});
    QCOMPARE(int(rows.error().kind), int(ErrorKind::Invalid));
    QVERIFY(connection.isIdle());
    QCOMPARE(connection.run({"after", "SELECT 5"})->bigint(0, 0), 5);
}

void TstConnection::pipelineIsOneImplicitTransaction()
{
    auto connection = m_test.connect();
    QVERIFY(connection.runScript("CREATE TABLE implicit (n int)"));
    QVERIFY(!connection.runPipeline(
        {{{"insert", "INSERT INTO implicit VALUES (1)"}}, {{"fail", "SELECT 1 / 0"}}}));

    QCOMPARE(connection.run({"count", "SELECT count(*) FROM implicit"})->bigint(0, 0), 0);
}

void TstConnection::failureAtTheSyncBelongsToTheLastStatement()
{
    auto connection = m_test.connect();
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
    auto connection = m_test.connect();
    QVERIFY(connection.runScript(
        "CREATE TABLE guarded (n int, CONSTRAINT guarded_positive CHECK (n > 0))"));
    const auto rows
        = connection.run({"insert", "INSERT INTO guarded VALUES ($1)"}, pg::Params{}.integer(-77));

    QVERIFY(!rows);
    QCOMPARE(rows.error().constraint, std::string{"guarded_positive"});
    QVERIFY(rows.error().message.find("77") == std::string::npos); // values stay out of messages
}

void TstConnection::megabytesBothWaysDoNotDeadlock()
{
    auto connection = m_test.connect(60s);
    const std::string block(1'000'000, 'x');
    std::vector<pg::Query> queries;
    for (int i = 0; i < 24; ++i) {
        queries.push_back(
            {{"echo", "SELECT $1 || $2"}, pg::Params{}.text(block).text(std::to_string(i))});
    }
    const auto rows = connection.runPipeline(queries);

    QVERIFY2(rows, rows ? "" : rows.error().message.c_str());
    for (std::size_t i = 0; i < queries.size(); ++i) {
        QCOMPARE((*rows)[i].text(0, 0).size(), block.size() + (i < 10 ? 1 : 2));
        QVERIFY((*rows)[i].text(0, 0).ends_with("x" + std::to_string(i)));
    }
    QVERIFY(connection.isIdle());
}

void TstConnection::scriptRunsManyStatements()
{
    auto connection = m_test.connect();
    QVERIFY(connection.runScript("CREATE TABLE script (n int); INSERT INTO script VALUES (1), (2);"
                                 "-- a comment; with semicolon\nINSERT INTO script VALUES (3);"));

    QCOMPARE(connection.run({"count", "SELECT count(*) FROM script"})->bigint(0, 0), 3);
    QVERIFY(connection.runScript(""));
    QVERIFY(connection.isIdle());
}

void TstConnection::failingScriptSaysWhy()
{
    auto connection = m_test.connect();
    const auto ran = connection.runScript("CREATE TABLE half (n int); SELECT 1 / 0; SELECT 2");

    QVERIFY(!ran);
    QCOMPARE(ran.error().message, std::string{"script: division by zero"});
    QVERIFY(connection.isIdle());
    QVERIFY(connection.run({"none", "SELECT to_regclass('half') IS NULL"})->boolean(0, 0));
}

void TstConnection::copyOutOfAScriptEndsTheConnection()
{
    auto connection = m_test.connect();
    const auto ran = connection.runScript("COPY (SELECT 1) TO STDOUT");

    QVERIFY(!ran);
    QVERIFY(!connection.isOpen());
}

void TstConnection::notificationsWakeAndTimeOut()
{
    auto listener = m_test.connect();
    auto speaker = m_test.connect();
    QVERIFY(listener.runScript("LISTEN payments"));
    QVERIFY(listener.waitForNotification(20ms)->empty());

    QVERIFY(speaker.runScript("NOTIFY payments"));
    QCOMPARE(*listener.waitForNotification(10s), std::string{"payments"});

    m_test.terminate(ServerTest::backendOf(listener));
    const auto after = listener.waitForNotification(10s);
    QVERIFY(!after);
    QCOMPARE(int(after.error().kind), int(ErrorKind::Unavailable));
    QVERIFY(!listener.isOpen());
}

QTEST_GUILESS_MAIN(TstConnection)
#include "tst_connection.moc"
