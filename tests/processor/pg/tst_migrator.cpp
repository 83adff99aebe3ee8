#include "processor/pg/migrator.h"
#include "sql/migrations.h"
#include "sql/roles.h"
#include "tests/support/postgres_server.h"

#include <QCryptographicHash>
#include <QTest>
#include <array>
#include <thread>

using base::ErrorKind;
using pg::Migration;

namespace {

constexpr Migration kFirst{
    1, "first", "CREATE TABLE first (n int); INSERT INTO first VALUES (1);", "aa"};
constexpr Migration kSecond{2, "second", "CREATE TABLE second (n int)", "bb"};
constexpr Migration kBroken{2, "broken", "CREATE TABLE broken (n int); SELECT 1 / 0;", "cc"};
constexpr Migration kIndexes{2, "indexes",
    "-- migrate: no transaction\n"
    "DROP INDEX CONCURRENTLY IF EXISTS first_n;\n"
    "-- migrate: next\n"
    "CREATE INDEX CONCURRENTLY first_n ON first (n);\n",
    "dd"};
constexpr Migration kEndsItself{2, "ends_itself", "CREATE TABLE early (n int); COMMIT;", "ee"};
constexpr Migration kSlow{2, "slow", "SELECT pg_sleep(0.3); CREATE TABLE slow (n int)", "ff"};

} // namespace

class TstMigrator : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void freshDatabaseGetsEverything();
    void secondRunDoesNothing();
    void planChangesNothing();
    void newOnesFollowTheOld();
    void changedFileRefuses();
    void renamedFileRefuses();
    void newerDatabaseRefuses();
    void gapRefuses();
    void failingOneLeavesNothingBehind();
    void tableLockedByOthersIsConflict();
    void markedKindRunsOutsideATransaction();
    void oneThatEndsItsTransactionRefuses();
    void longOnesAreNotCutByTheStatementTimeout();
    void manyAtOnceApplyEachOnce_data();
    void manyAtOnceApplyEachOnce();
    void recordIsTheLoginsOwn();
    void scriptsOfManyDoNotCollide();
    void ourOwnApply();

private:
    pg::Connection connect(std::chrono::milliseconds limit = std::chrono::seconds{10}) const
    {
        auto connection = pg::Connection::open({.url = m_url, .statementTimeout = limit});
        if (!connection) qFatal("%s", connection.error().message.c_str());
        return std::move(*connection);
    }
    bool exists(const char* relation) const
    {
        return connect()
            .run({"exists", "SELECT to_regclass($1) IS NOT NULL"}, pg::Params{}.text(relation))
            ->boolean(0, 0);
    }
    base::Result<std::vector<Migration>> apply(std::span<const Migration> known) const
    {
        auto connection = connect();
        return pg::Migrator{connection, known}.apply();
    }
    void applied(std::initializer_list<Migration> known) const
    {
        const auto done = apply({known.begin(), known.size()});
        if (!done) qFatal("%s", done.error().message.c_str());
    }
    void verifyRefused(std::initializer_list<Migration> known, const char* part) const
    {
        const auto done = apply({known.begin(), known.size()});
        QVERIFY(!done);
        QCOMPARE(int(done.error().kind), int(ErrorKind::Corrupt));
        QVERIFY2(
            done.error().message.find(part) != std::string::npos, done.error().message.c_str());
        auto connection = connect();
        QVERIFY(!(pg::Migrator{connection, {known.begin(), known.size()}}.plan()));
    }

    std::unique_ptr<support::PostgresServer> m_server;
    std::string m_url;
};

void TstMigrator::initTestCase()
{
    auto server = support::PostgresServer::start();
    QVERIFY2(server, server ? "" : server.error().message.c_str());
    m_server = std::move(*server);
}

void TstMigrator::init()
{
    const auto url = m_server->createDatabase();
    QVERIFY2(url, url ? "" : url.error().message.c_str());
    m_url = *url;
}

void TstMigrator::freshDatabaseGetsEverything()
{
    const std::array known{kFirst, kSecond};
    const auto done = apply(known);

    QVERIFY(done);
    QCOMPARE(done->size(), std::size_t{2});
    const auto rows = connect().run({"recorded",
        "SELECT number, name, sha256, applied_at > now() - interval '1 minute' "
        "FROM schema_migrations ORDER BY number"});
    QCOMPARE(rows->size(), 2);
    QCOMPARE(rows->bigint(1, 0), 2);
    QVERIFY(rows->text(1, 1) == "second");
    QVERIFY(rows->text(1, 2) == "bb");
    QVERIFY(rows->boolean(1, 3));
    QVERIFY(exists("first") && exists("second"));
}

void TstMigrator::secondRunDoesNothing()
{
    const std::array known{kFirst, kSecond};
    QVERIFY(apply(known));
    const auto again = apply(known);

    QVERIFY(again);
    QVERIFY(again->empty());
}

void TstMigrator::planChangesNothing()
{
    const std::array known{kFirst, kSecond};
    auto connection = connect();
    const auto plan = pg::Migrator{connection, known}.plan();

    QVERIFY(plan);
    QCOMPARE(plan->size(), std::size_t{2});
    QVERIFY(!exists("schema_migrations"));
    applied({kFirst});
    const auto rest = pg::Migrator{connection, known}.plan();
    QCOMPARE(rest->size(), std::size_t{1});
    QCOMPARE(rest->front().number, 2);
}

void TstMigrator::newOnesFollowTheOld()
{
    applied({kFirst});
    const std::array known{kFirst, kSecond};
    const auto done = apply(known);

    QVERIFY(done);
    QCOMPARE(done->size(), std::size_t{1});
    QCOMPARE(done->front().number, 2);
}

void TstMigrator::changedFileRefuses()
{
    applied({kFirst});
    verifyRefused({{1, "first", "CREATE TABLE other (n int)", "a0"}}, "must not be changed");
}

void TstMigrator::renamedFileRefuses()
{
    applied({kFirst});
    verifyRefused({{1, "renamed", kFirst.text, "aa"}}, "0001_renamed");
}

void TstMigrator::newerDatabaseRefuses()
{
    applied({kFirst, kSecond});
    verifyRefused({kFirst}, "the database is newer than this program: it has 0002_second");
}

void TstMigrator::gapRefuses()
{
    applied({kFirst, kSecond});
    QVERIFY(connect().runScript("DELETE FROM schema_migrations WHERE number = 1"));
    verifyRefused({kFirst, kSecond}, "not the one before it");
}

void TstMigrator::failingOneLeavesNothingBehind()
{
    const std::array known{kFirst, kBroken};
    const auto done = apply(known);

    QVERIFY(!done);
    QVERIFY(done.error().message.find("0002_broken") != std::string::npos);
    QVERIFY(exists("first"));
    QVERIFY(!exists("broken"));
    applied({kFirst, kSecond}); // never recorded, so it may be repaired
}

void TstMigrator::tableLockedByOthersIsConflict()
{
    applied({kFirst});
    auto holder = connect();
    QVERIFY(holder.runScript("BEGIN; SELECT * FROM first"));
    const std::array known{kFirst, Migration{2, "drop", "DROP TABLE first", "gg"}};
    auto connection = connect();
    const auto done
        = pg::Migrator{connection, known, {.tableLock = std::chrono::milliseconds{50}}}.apply();

    QVERIFY(!done);
    QCOMPARE(done.error().code, std::string{"55P03"});
    QCOMPARE(int(done.error().kind), int(ErrorKind::Conflict));
    QVERIFY(connection.isIdle());
}

void TstMigrator::markedKindRunsOutsideATransaction()
{
    applied({kFirst, kIndexes});

    QVERIFY(exists("first_n"));
    QVERIFY(apply(std::array{kFirst, kIndexes})->empty());
}

void TstMigrator::oneThatEndsItsTransactionRefuses()
{
    const auto done = apply(std::array{kFirst, kEndsItself});

    QVERIFY(!done);
    QCOMPARE(int(done.error().kind), int(ErrorKind::Corrupt));
    QVERIFY(done.error().message.find("0002_ends_itself") != std::string::npos);
}

void TstMigrator::longOnesAreNotCutByTheStatementTimeout()
{
    auto connection = connect(std::chrono::milliseconds{100});
    const std::array known{kFirst, kSlow};

    QVERIFY((pg::Migrator{connection, known}.apply()));
    QCOMPARE(connection.statementTimeout().count(), 100);
}

void TstMigrator::manyAtOnceApplyEachOnce_data()
{
    QTest::addColumn<bool>("outside");

    QTest::newRow("in transactions") << false;
    QTest::newRow("one of them outside") << true;
}

void TstMigrator::manyAtOnceApplyEachOnce()
{
    QFETCH(bool, outside);
    const std::array known{kFirst, outside ? kIndexes : kSlow,
        Migration{3, "third", "CREATE TABLE third (n int)", "hh"}};
    std::array<std::string, 4> errors;
    std::array<std::size_t, 4> counts{};
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < errors.size(); ++i) {
        threads.emplace_back([&, i] {
            const auto done = apply(known);
            if (done) {
                counts[i] = done->size();
            } else {
                errors[i] = done.error().message;
            }
        });
    }
    for (auto& thread : threads) thread.join();

    for (const auto& error : errors) QVERIFY2(error.empty(), error.c_str());
    QCOMPARE(counts[0] + counts[1] + counts[2] + counts[3], std::size_t{3});
    QVERIFY(exists("third"));
}

// A migration may give what it creates to another role, which knows nothing of our table.
void TstMigrator::recordIsTheLoginsOwn()
{
    QVERIFY(connect().runScript(
        "CREATE ROLE nobody_special; GRANT CREATE ON SCHEMA public TO nobody_special"));
    applied({{1, "owned", "SET LOCAL ROLE nobody_special; CREATE TABLE owned (n int)", "ii"}});

    QVERIFY(exists("owned"));
}

void TstMigrator::scriptsOfManyDoNotCollide()
{
    std::array<std::string, 4> errors;
    std::vector<std::thread> threads;
    for (auto& error : errors) {
        threads.emplace_back([&] {
            for (int round = 0; round < 10 && error.empty(); ++round) {
                auto connection = connect();
                const auto ran = pg::Migrator{connection, {}}.runScript(sql::kRoles);
                if (!ran) error = ran.error().message;
            }
        });
    }
    for (auto& thread : threads) thread.join();

    for (const auto& error : errors) QVERIFY2(error.empty(), error.c_str());
}

// What this program carries: every number once, the texts whole, the hashes those of the texts.
void TstMigrator::ourOwnApply()
{
    QVERIFY(!sql::kMigrations.empty());
    for (const Migration& migration : sql::kMigrations) {
        const auto hash
            = QCryptographicHash::hash(QByteArray{migration.text}, QCryptographicHash::Sha256)
                  .toHex();
        QCOMPARE(QString{migration.sha256}, QString{hash});
    }
    auto connection = connect();
    QVERIFY((pg::Migrator{connection, sql::kMigrations}.runScript(sql::kRoles)));
    const auto done = apply(sql::kMigrations);

    QVERIFY2(done, done ? "" : done.error().message.c_str());
    QCOMPARE(done->size(), sql::kMigrations.size());
}

QTEST_GUILESS_MAIN(TstMigrator)
#include "tst_migrator.moc"
