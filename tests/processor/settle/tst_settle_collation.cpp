// Two writers that sort names differently deadlock. Text orders locks by its bytes, whatever the
// collation of the database.

#include "processor/daemon/user_import.h"
#include "processor/pg/migrator.h"
#include "processor/pg/transaction.h"
#include "sql/migrations.h"
#include "sql/relay.h"
#include "sql/roles.h"
#include "sql/settle.h"
#include "tests/support/database.h"
#include "tests/support/require.h"
#include "tests/support/stack.h"

#include <QTest>
#include <memory>
#include <sstream>

namespace {

class TestSettleCollation : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase();
    void accountsAreLockedInTheOrderOfBytes();
    void openingBalancesToo();
    void positionsToo();

private:
    std::unique_ptr<support::TestStack> m_stack;
    std::unique_ptr<support::Database> m_database;
};

// By bytes AB comes before A_B, in English after it.
void TestSettleCollation::initTestCase()
{
    m_stack = std::make_unique<support::TestStack>();
    support::Database{m_stack->stores().databaseUrl("postgres")}.run(
        "CREATE DATABASE english TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-US'");
    m_database = std::make_unique<support::Database>(m_stack->stores().databaseUrl("english"));
    m_database->run(sql::kRoles); // the rights on the schema are a database's own
    auto connection = m_database->connect();
    support::require(pg::Migrator{connection, sql::kMigrations}.apply());
    QCOMPARE(m_database->value("SELECT 'A_B' < 'AB'"), std::string{"true"});
    m_database->addUsers(1, 2);
    m_database->run("INSERT INTO assets (asset, chain, contract, decimals) VALUES"
                    " ('A_B', 'eip155:1', '0x1', 18), ('AB', 'eip155:1', '0x2', 18)");
}

void TestSettleCollation::cleanupTestCase()
{
    m_database.reset();
    m_stack.reset();
}

void TestSettleCollation::accountsAreLockedInTheOrderOfBytes()
{
    m_database->run(
        "INSERT INTO payment_events (event_no, event_id, event_type, source, user_id,"
        " asset, amount, trace_id) VALUES"
        " (1, 'e1', 'deposit', 'payments', 1, 'A_B', 1, 't'),"
        " (2, 'e2', 'deposit', 'payments', 1, 'AB', 1, 't');"
        "INSERT INTO event_queue (event_no, user_id, lane) VALUES (1, 1, 1), (2, 1, 1)");
    auto connection = m_database->connect("countersign_processor");
    pg::Transaction transaction{connection};
    transaction.add(sql::kSettleTakeLanes, std::move(pg::Params{}.integer(0).integer(64)));
    pg::Params selection;
    selection.bigint(0).bigint(100).integer(500).bigint(std::nullopt);
    selection.bigintArray(std::vector<std::int64_t>{}).textArray(std::vector<std::string>{});
    transaction.add(sql::kSettleTakeEvents, std::move(selection));
    transaction.add({"noted", "SELECT current_setting('countersign.assets')"});
    transaction.add(sql::kSettleLockAccounts);
    const auto read = transaction.send();
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    QCOMPARE(std::string{(*read)[2].text(0, 0)}, std::string{"{AB,A_B}"});
    QVERIFY(transaction.commit());

    // Rows lie in the order in which they were made.
    QCOMPARE(m_database->value("SELECT string_agg(asset, ',' ORDER BY ctid) FROM balances"),
        std::string{"AB,A_B"});
}

void TestSettleCollation::openingBalancesToo()
{
    std::istringstream text{"2,,A_B,1\n2,,AB,2\n"};
    const auto file = support::require(processor::readUserFile(text));
    auto connection = m_database->connect("countersign_processor");

    const auto report = processor::importUsers(connection, file);

    QVERIFY2(report, report ? "" : report.error().message.c_str());
    QCOMPARE(m_database->value("SELECT string_agg(asset, ',' ORDER BY ctid) FROM balances"
                               " WHERE user_id = 2"),
        std::string{"AB,A_B"});
    // Whatever order the caller chose.
    m_database->run("DELETE FROM balances WHERE user_id = 2;"
                    "SELECT import_opening_balances('{2,2}', '{A_B,AB}', '{1,2}')");
    QCOMPARE(m_database->value("SELECT string_agg(asset, ',' ORDER BY ctid) FROM balances"
                               " WHERE user_id = 2 AND version = 0"),
        std::string{"AB,A_B"});
}

void TestSettleCollation::positionsToo()
{
    auto connection = m_database->connect("countersign_processor");
    const std::vector<std::string> groups{"a", "B"};
    QVERIFY(connection.run(sql::kRelayPositionsAdd, pg::Params{}.textArray(groups)));

    const auto locked = connection.run(sql::kRelayPositionsLock);

    QVERIFY(locked);
    QCOMPARE(std::string{locked->text(0, 0)}, std::string{"B"});
    QCOMPARE(m_database->value("SELECT string_agg(group_name, ',' ORDER BY ctid)"
                               " FROM stream_positions"),
        std::string{"B,a"});
}

} // namespace

QTEST_GUILESS_MAIN(TestSettleCollation)
#include "tst_settle_collation.moc"
