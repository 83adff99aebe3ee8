#include "tests/support/database.h"
#include "tests/support/require.h"
#include "tests/support/stack.h"

#include <QTest>
#include <memory>
#include <optional>

namespace {

// The daemon's role does its work and nothing else, whoever got hold of it. That it can do its work
// is shown by every other test that logs in as it.
class TestProcessorRights : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase();
    void isRefused_data();
    void isRefused();
    void opensBooksOfUntouchedAccountsOnly();
    void deletesOnlyWhatIsDone();

private:
    std::unique_ptr<support::TestStack> m_stack;
    std::optional<support::Database> m_database;
};

constexpr const char* kOneEvent
    = "INSERT INTO users (id) VALUES (1), (2);"
      "INSERT INTO balances (user_id, asset, balance, version) VALUES (1, 'ETH', 1, 1);"
      "INSERT INTO balance_events (user_id, asset, amount, balance_after, version,"
      " source_event_id, event_type, event_no) VALUES (1, 'ETH', 1, 1, 1, 'e', 'deposit', 1);"
      "INSERT INTO merchant_balances (merchant_id, asset) VALUES ('m', 'ETH');"
      "INSERT INTO event_keys VALUES (decode(repeat('00', 32), 'hex'), 1, '');"
      "INSERT INTO payment_events (event_no, event_id, event_type, source, user_id, asset, amount,"
      " trace_id, outcome, settled_at)"
      " VALUES (1, 'e', 'deposit', 'payments', 1, 'ETH', 1, 't', 'confirmed', now());"
      "INSERT INTO deliveries (event_no, source, verdict, body_sha256, trace_id)"
      " VALUES (1, 'payments', 'accepted', '', 't');"
      "INSERT INTO quarantine (source, reason, body_sha256, body) VALUES ('p', 'r', '', '');"
      "INSERT INTO processed_events VALUES (1, '', 'success');"
      "INSERT INTO onchain_claims (chain, tx_hash, ordinal, side, state, amount)"
      " VALUES ('eip155:1', '0x1', '{0}', 'in', 'seen', 1);"
      "INSERT INTO dead_letter_queue (letter_uid, event_no, event_id, event_type, source, user_id,"
      " asset, amount, error, error_class, cause, attempt, trace_id) VALUES (gen_random_uuid(), 1,"
      " 'e', 'deposit', 'p', 1, 'ETH', 1, '', '', '', 1, 't');"
      "INSERT INTO notifications (event_no, kind, target) VALUES (1, 'credited', 'default');"
      "INSERT INTO payment_log (no, event_no, kind, actor, trace_id, payment_id, event_type,"
      " user_id, asset, amount) VALUES (1, 1, 'k', 'a', 't', 'e', 'deposit', 1, 'ETH', 1);"
      "INSERT INTO event_attempts (event_no, attempt, error, error_class, cause)"
      " VALUES (1, 1, '', '', '');"
      "INSERT INTO deposit_returns VALUES (1, 2, 'refund', 1);"
      "INSERT INTO event_queue (event_no, user_id, lane) VALUES (1, 1, 1);"
      "INSERT INTO event_waits (event_no, user_id, lane, reason, due_at)"
      " VALUES (2, 1, 1, 'finality', 'infinity');"
      "INSERT INTO alerts (key, severity, message) VALUES ('k', 'INFO', 'm');"
      "INSERT INTO stream_positions (group_name) VALUES ('g')";

void TestProcessorRights::initTestCase()
{
    m_stack = std::make_unique<support::TestStack>();
    m_database.emplace(m_stack->createDatabase());
    m_database->run(kOneEvent);
}

void TestProcessorRights::cleanupTestCase()
{
    m_database.reset();
    m_stack.reset();
}

void TestProcessorRights::isRefused_data()
{
    QTest::addColumn<QByteArray>("statement");
    for (const char* statement : {
             // Money: an opening balance, another's account, what a merchant is owed.
             "UPDATE balances SET initial_balance = 5",
             "INSERT INTO balances (user_id, asset, initial_balance) VALUES (2, 'ETH', 5)",
             "INSERT INTO balances (user_id, asset) VALUES (1, 'ETH')"
             " ON CONFLICT (user_id, asset) DO UPDATE SET initial_balance = 5",
             "UPDATE balances SET user_id = 2",
             "UPDATE balances SET asset = 'DAI'",
             "UPDATE merchant_balances SET merchant_id = 'n'",
             "UPDATE merchant_balances SET asset = 'DAI'",
             // Guards and history.
             "UPDATE event_keys SET fingerprint = 'x'",
             "UPDATE event_keys_00 SET fingerprint = 'x'",
             "UPDATE balance_events SET amount = 2",
             "UPDATE payment_events SET amount = 2",
             "UPDATE payment_events SET user_id = 2",
             "UPDATE payment_events SET tx_hash = '0x2', tx_position = '{1}'",
             "UPDATE payment_events SET outcome = NULL, settled_at = NULL",
             "UPDATE deliveries SET body = ''",
             "UPDATE processed_events SET outcome = 'insufficient_funds'",
             "UPDATE deposit_returns SET amount = 2",
             "UPDATE payment_log SET amount = 2",
             "UPDATE event_attempts SET error = 'x'",
             "UPDATE dead_letter_queue SET state = 'discarded'",
             "UPDATE dead_letter_queue SET amount = 2",
             "UPDATE onchain_claims SET tx_hash = '0x2'",
             "UPDATE onchain_claims SET amount = 2",
             "UPDATE notifications SET event_no = 2",
             // What came in and was not understood is for people.
             "UPDATE quarantine SET state = 'discarded'",
             "UPDATE quarantine SET body = 'x'",
             "UPDATE quarantine SET body_sha256 = 'x'",
             // What an event means.
             "INSERT INTO assets (asset, chain, contract, decimals) VALUES ('X', 'eip155:1', '0x', "
             "0)",
             "UPDATE assets SET decimals = 0",
             "UPDATE users SET external_ref = 'x'",
             "UPDATE deposit_addresses SET user_id = 2",
             // Work and its order.
             "UPDATE lanes SET lane = lane + 64",
             "UPDATE lanes SET lane = lane",
             "UPDATE event_queue SET user_id = 2",
             "UPDATE event_queue SET lane = 2",
             "UPDATE event_waits SET user_id = 2",
             "UPDATE alerts SET key = 'x'",
             "UPDATE alerts SET silenced_until = 'infinity'",
             "UPDATE stream_positions SET group_name = 'x'",
             "UPDATE log_tail SET only_row = true",
             "INSERT INTO log_tail DEFAULT VALUES",
             "UPDATE jobs SET name = 'x'",
             "UPDATE partitioned_tables SET width = 1",
             "UPDATE schema_migrations SET sha256 = ''",
             "SELECT setval('event_no_seq', 1)",
             "SELECT setval('balance_events_id_seq', 1)",
         }) {
        QTest::newRow(statement) << QByteArray{statement};
    }
}

void TestProcessorRights::isRefused()
{
    QFETCH(const QByteArray, statement);
    auto processor = m_database->connect("countersign_processor");

    const auto done = processor.runScript(statement.toStdString());

    QVERIFY2(!done, "was done");
    QCOMPARE(done.error().code, std::string{"42501"});
}

void TestProcessorRights::opensBooksOfUntouchedAccountsOnly()
{
    auto processor = m_database->connect("countersign_processor");
    const auto import = [&](const std::string& values) {
        return processor.run({"import",
            ("SELECT busy FROM import_opening_balances(" + values + ") AS busy").c_str()});
    };

    const auto moved = import("'{1,2}', '{ETH,ETH}', '{5,5}'");
    QVERIFY2(moved, moved ? "" : moved.error().message.c_str());
    QCOMPARE(moved->size(), 1);
    QCOMPARE(moved->bigint(0, 0), 1);
    QCOMPARE(m_database->value("SELECT sum(initial_balance) FROM balances"),
        std::string{"0.000000000000000000"});
    QVERIFY(!import("'{9}', '{ETH}', '{5}'")); // nobody
    QVERIFY(!import("'{2}', '{ETH}', '{-5}'"));
    QVERIFY(!import("'{2,2}', '{ETH,ETH}', '{5,6}'")); // which one?
    QVERIFY(processor.runScript("BEGIN ISOLATION LEVEL REPEATABLE READ"));
    QVERIFY(!import("'{2}', '{ETH}', '{5}'"));
    QVERIFY(processor.runScript("ROLLBACK"));

    QVERIFY(import("'{2}', '{ETH}', '{5}'"));
    QCOMPARE(
        m_database->value("SELECT trim_scale(initial_balance) FROM balances WHERE user_id = 2"),
        std::string{"5"});
    QCOMPARE(m_database->brokenSums(), std::string{"0"});
}

// Nothing is deleted but work that is done and instances that are gone, and nothing truncated.
void TestProcessorRights::deletesOnlyWhatIsDone()
{
    QCOMPARE(
        m_database->value("SELECT string_agg(relname, ',' ORDER BY relname) FROM pg_class"
                          " WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace"
                          " AND has_table_privilege('countersign_processor', oid, 'DELETE')"),
        std::string{"event_queue,event_waits,processor_instances"});
    QCOMPARE(m_database->value(
                 "SELECT count(*) FROM pg_class"
                 " WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace"
                 " AND has_table_privilege('countersign_processor', oid, 'TRUNCATE, TRIGGER')"),
        std::string{"0"});
    // Partitions are written through their parents only.
    QCOMPARE(m_database->value(
                 "SELECT count(*) FROM pg_class WHERE relispartition"
                 " AND has_any_column_privilege('countersign_processor', oid, 'INSERT, UPDATE')"),
        std::string{"0"});
    // Whole rows are updated nowhere but where locking asks for it.
    QCOMPARE(
        m_database->value("SELECT string_agg(relname, ',' ORDER BY relname) FROM pg_class"
                          " WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace"
                          " AND has_table_privilege('countersign_processor', oid, 'UPDATE')"),
        std::string{"lanes"});
}

} // namespace

QTEST_GUILESS_MAIN(TestProcessorRights)
#include "tst_processor_rights.moc"
