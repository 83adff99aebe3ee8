// What people may do in the database: read everything, write through their functions alone.
#include "sql/demo_people.h"
#include "sql/roles.h"
#include "tests/support/require.h"
#include "tests/support/stack.h"

#include <QTest>
#include <optional>

namespace {

class TestPeople : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void everyTableIsReadable();
    void noTableIsWritten();
    void theAdminTakesInAndIsTheOwnerOnlyOnDemand();
    void eachFunctionNeedsItsRole_data();
    void eachFunctionNeedsItsRole();
    void helpersAreNobodys();
    void everyFunctionIsBuiltByTheRules();
    void whoMayActAsTheOwnerDecidesNothing();
    void anOlderStackGetsItsLoginsToo();
    void whoIsNobodyMayNothing_data();
    void whoIsNobodyMayNothing();
    void onlyReadCommittedWillDo();
    void notesAndTagsStayAndAreAudited();
    void lettersMoveAllOrNone();
    void anAlertIsSeenOnceAndQuietForAWhile();
    void aViewIsItsPersons();
    void badInputIsRefused_data();
    void badInputIsRefused();
    void theAuditIsAppendOnly();
    void aPersonsOpenTransactionEnds();

private:
    // The SQLSTATE of a statement as somebody; empty when it went through.
    std::string as(const std::string& login, const std::string& sql);
    std::int64_t letter(const std::string& id);

    support::TestStack m_stack;
    std::optional<support::Database> m_database;
};

void TestPeople::init()
{
    m_database.emplace(m_stack.createDatabase());
    m_database->addUsers(1, 3);
    m_database->run("INSERT INTO alerts (key, severity, message) VALUES ('a', 'WARNING', 'odd');"
                    "INSERT INTO quarantine (source, reason, body_sha256, body)"
                    " VALUES ('payments', 'invalid_amount', '\\x01', '\\x02')");
}

std::string TestPeople::as(const std::string& login, const std::string& sql)
{
    auto connection = m_database->connect(login);
    const auto done = connection.runScript(sql);
    return done ? "" : done.error().code;
}

std::int64_t TestPeople::letter(const std::string& id)
{
    m_database->run("INSERT INTO dead_letter_queue (letter_uid, event_no, event_id, event_type,"
                    " source, user_id, asset, amount, error, error_class, cause, attempt, trace_id)"
                    " VALUES (gen_random_uuid(), 1, '"
        + id + "', 'deposit', 'payments', 1, 'ETH', 1, 'e', 'c', 'cause', 6, 't')");
    return std::stoll(m_database->value("SELECT max(id) FROM dead_letter_queue"));
}

void TestPeople::everyTableIsReadable()
{
    QCOMPARE(m_database->value("SELECT count(*) FROM pg_class WHERE relnamespace ="
                               " 'public'::regnamespace AND relkind IN ('r', 'p', 'v') AND NOT"
                               " has_table_privilege('countersign_support', oid, 'SELECT')"),
        std::string{"0"});
    for (const char* login : {"support", "operator", "approver", "approver2", "admin"}) {
        QCOMPARE(as(login, "SELECT FROM payment_status; SELECT body FROM deliveries"), "");
    }
}

void TestPeople::noTableIsWritten()
{
    // Of the catalogue, so that no table and no column is forgotten …
    QCOMPARE(m_database->value(
                 "SELECT string_agg(c.relname || ' ' || r.rolname, ', ') FROM pg_class c CROSS JOIN"
                 " pg_roles r WHERE c.relnamespace = 'public'::regnamespace"
                 " AND c.relkind IN ('r', 'p', 'v') AND r.rolname IN ('countersign_support',"
                 " 'countersign_operator', 'countersign_approver') AND ("
                 "has_table_privilege(r.rolname, c.oid, 'INSERT,UPDATE,DELETE,TRUNCATE') OR"
                 " has_any_column_privilege(r.rolname, c.oid, 'INSERT,UPDATE'))"),
        std::string{});
    // … and for a few by trying. Rights of a database are not copied with its template.
    m_database->run(sql::kRoles);
    for (const char* sql : {"UPDATE balances SET balance = 1", "DELETE FROM notes",
             "INSERT INTO people VALUES ('support', 'x')",
             "UPDATE dead_letter_queue SET state = 'resolved'", "CREATE TABLE mine ()",
             "CREATE TEMP TABLE mine ()", "TRUNCATE operator_audit",
             "SELECT nextval('event_no_seq')", "SELECT make_partitions()"}) {
        QVERIFY2(as("approver", sql) == "42501", sql);
    }
}

void TestPeople::theAdminTakesInAndIsTheOwnerOnlyOnDemand()
{
    for (const char* sql : {"INSERT INTO people VALUES ('somebody', 'Somebody')",
             "INSERT INTO users VALUES (77)", "SET ROLE countersign_owner; CREATE TABLE more ()"}) {
        QVERIFY2(as("admin", sql).empty(), sql);
    }
    for (const char* sql : {"UPDATE balances SET balance = 1", "DELETE FROM notes",
             "UPDATE people SET person = 'support' WHERE login = 'admin'"}) {
        QVERIFY2(as("admin", sql) == "42501", sql);
    }
}

void TestPeople::eachFunctionNeedsItsRole_data()
{
    QTest::addColumn<QByteArray>("call");
    QTest::addColumn<bool>("support");
    QTest::addColumn<bool>("admin");

    QTest::newRow("annotate") << QByteArray{"annotate('user', '1', 'hm')"} << true << true;
    QTest::newRow("tag") << QByteArray{"tag('user', '1', 'vip')"} << true << true;
    QTest::newRow("untag") << QByteArray{"untag('user', '1', 'vip')"} << true << true;
    QTest::newRow("save_view") << QByteArray{"save_view('letters', 'mine', '{}')"} << true << true;
    QTest::newRow("delete_view") << QByteArray{"delete_view(1)"} << true << true;
    QTest::newRow("assign") << QByteArray{"assign('user', '1', 'operator')"} << false << false;
    QTest::newRow("acknowledge_alert")
        << QByteArray{"acknowledge_alert('a', 'looking')"} << false << false;
    QTest::newRow("silence_alert")
        << QByteArray{"silence_alert('a', now() + interval '1 hour', 'known')"} << false << false;
    QTest::newRow("discard_letters")
        << QByteArray{"discard_letters(ARRAY(SELECT id FROM dead_letter_queue), 'spam')"} << false
        << false;
    QTest::newRow("discard_quarantine")
        << QByteArray{"discard_quarantine(ARRAY(SELECT id FROM quarantine), 'spam')"} << false
        << false;
}

void TestPeople::eachFunctionNeedsItsRole()
{
    QFETCH(QByteArray, call);
    QFETCH(bool, support);
    QFETCH(bool, admin);
    letter("x");
    const std::string sql = "SELECT " + call.toStdString();
    const auto mayOrNot = [](bool may) { return std::string{may ? "" : "42501"}; };

    QCOMPARE(as("support", sql), mayOrNot(support));
    QCOMPARE(as("admin", sql), mayOrNot(admin));
    QCOMPARE(as("countersign_processor", sql), std::string{"42501"});
    QCOMPARE(as("operator", sql), std::string{});
    // The superuser passes the grant, and is refused by the function itself.
    QCOMPARE(as("", sql), std::string{"CS001"});
}

void TestPeople::helpersAreNobodys()
{
    for (const char* sql :
        {"SELECT acting_person('countersign_support')", "SELECT write_audit('a', 'b', 'c', '{}')",
            "SELECT move_letters('a', 'b', '{1}', 'open', 'resolved', 'why')"}) {
        QCOMPARE(as("approver", sql), std::string{"42501"});
        QCOMPARE(as("countersign_processor", sql), std::string{"42501"});
    }
}

void TestPeople::everyFunctionIsBuiltByTheRules()
{
    // Of all that people may call: the owner's rights, a fixed path and formats, a word on what it
    // does, and nothing for PUBLIC. By the catalogue, so that later functions are held to it too.
    QCOMPARE(
        m_database->value("SELECT string_agg(p.proname, ', ') FROM pg_proc p"
                          " WHERE p.pronamespace = 'public'::regnamespace"
                          " AND has_function_privilege('countersign_approver', p.oid, 'EXECUTE')"
                          " AND p.prorettype <> 'trigger'::regtype AND NOT (p.prosecdef"
                          " AND p.proowner = 'countersign_owner'::regrole"
                          " AND p.proconfig @> '{\"search_path=pg_catalog, pg_temp\"}'"
                          " AND p.proconfig::text ILIKE '%timezone=UTC%'"
                          " AND obj_description(p.oid, 'pg_proc') IS NOT NULL"
                          " AND NOT p.proacl::text ~ '[{,]=X')"),
        std::string{});
    QCOMPARE(m_database->value("SELECT count(*) >= 11 FROM pg_proc p"
                               " WHERE p.pronamespace = 'public'::regnamespace AND p.prosecdef"
                               " AND has_function_privilege('countersign_approver', p.oid,"
                               " 'EXECUTE')"),
        std::string{"true"});
}

void TestPeople::whoMayActAsTheOwnerDecidesNothing()
{
    m_database->run("GRANT countersign_operator TO admin");
    const auto acknowledged = as("admin", "SELECT acknowledge_alert('a', 'looking')");
    const auto discarded
        = as("admin", "SELECT discard_quarantine(ARRAY(SELECT id FROM quarantine), 'not ours')");
    m_database->run("REVOKE countersign_operator FROM admin");

    QCOMPARE(acknowledged, std::string{"CS001"});
    QCOMPARE(discarded, std::string{"CS001"});
}

void TestPeople::anOlderStackGetsItsLoginsToo()
{
    m_database->run("DROP ROLE approver2; DELETE FROM people WHERE login = 'approver2'");

    m_database->run(sql::kDemoPeople); // as every start does

    QCOMPARE(as("approver2", "SELECT annotate('user', '1', 'hm')"), std::string{});
    QCOMPARE(m_database->value("SELECT count(DISTINCT person) FROM people"), std::string{"5"});
}

void TestPeople::whoIsNobodyMayNothing_data()
{
    QTest::addColumn<QByteArray>("setUp");
    QTest::addColumn<QByteArray>("state");

    QTest::newRow("a login without a person") << QByteArray{"DELETE FROM people WHERE login ="
                                                            " 'operator'"}
                                              << QByteArray{"CS001"};
    QTest::newRow("a person is enough") << QByteArray{"SELECT"} << QByteArray{};
}

void TestPeople::whoIsNobodyMayNothing()
{
    QFETCH(QByteArray, setUp);
    QFETCH(QByteArray, state);
    m_database->run(setUp.toStdString());

    QCOMPARE(as("operator", "SELECT acknowledge_alert('a', 'looking')"), state.toStdString());
    QCOMPARE(as("operator", "SELECT annotate('user', '1', 'hm')"), state.toStdString());
}

void TestPeople::onlyReadCommittedWillDo()
{
    for (const char* level : {"REPEATABLE READ", "SERIALIZABLE"}) {
        QCOMPARE(as("operator",
                     "BEGIN ISOLATION LEVEL " + std::string{level}
                         + "; SELECT acknowledge_alert('a', 'looking'); COMMIT"),
            std::string{"CS005"});
    }
}

void TestPeople::notesAndTagsStayAndAreAudited()
{
    QCOMPARE(as("support", "SELECT annotate('event', 'evt-1', '  called back  ')"), std::string{});
    QCOMPARE(as("support", "SELECT tag('event', 'evt-1', 'refund-asked')"), std::string{});
    QCOMPARE(as("operator", "SELECT tag('event', 'evt-1', 'refund-asked')"), std::string{});
    QCOMPARE(as("operator", "SELECT assign('event', 'evt-1', 'support')"), std::string{});

    QCOMPARE(m_database->table("SELECT body, person FROM notes"),
        std::string{"(\"called back\",support)"});
    QCOMPARE(m_database->table("SELECT tag, person FROM tags"),
        std::string{"(refund-asked,support)"}); // the second one changed nothing
    QCOMPARE(m_database->table("SELECT person, assigned_by FROM assignments"),
        std::string{"(support,operator)"});
    QCOMPARE(m_database->table("SELECT actor, action, object FROM operator_audit ORDER BY id"),
        std::string{"(support,annotate,\"event evt-1\")\n(support,tag,\"event evt-1\")\n"
                    "(operator,assign,\"event evt-1\")"});
}

void TestPeople::lettersMoveAllOrNone()
{
    const auto first = std::to_string(letter("one"));
    const auto second = std::to_string(letter("two"));
    const std::string both = "'{" + second + "," + first + "," + first + "}'";

    QCOMPARE(
        as("operator", "SELECT discard_letters('{" + first + "}', 'not ours')"), std::string{});
    QCOMPARE(
        as("operator", "SELECT discard_letters(" + both + ", 'not ours')"), std::string{"CS005"});
    QCOMPARE(m_database->value("SELECT state FROM dead_letter_queue WHERE id = " + second),
        std::string{"open"});
    QCOMPARE(as("operator", "SELECT restore_letters('{" + first + "}', 'ours after all')"),
        std::string{});
    QCOMPARE(as("operator", "SELECT discard_letters(" + both + ", 'not ours')"), std::string{});
    QCOMPARE(as("operator", "SELECT discard_letters('{99}', 'not ours')"), std::string{"CS005"});

    QCOMPARE(m_database->value("SELECT count(*) FROM dead_letter_queue WHERE state = 'discarded'"),
        std::string{"2"});
    QCOMPARE(m_database->value("SELECT count(*) FROM operator_audit"), std::string{"4"});
}

void TestPeople::anAlertIsSeenOnceAndQuietForAWhile()
{
    QCOMPARE(as("operator", "SELECT acknowledge_alert('a', 'looking')"), std::string{});
    QCOMPARE(as("operator", "SELECT acknowledge_alert('a', 'looking')"), std::string{"CS005"});
    QCOMPARE(as("operator", "SELECT acknowledge_alert('b', 'looking')"), std::string{"CS005"});
    QCOMPARE(as("operator", "SELECT silence_alert('a', now() + interval '1 day', 'known')"),
        std::string{});
    for (const char* until : {"NULL", "'infinity'", "now() - interval '1 s'", "'2999-01-01'"}) {
        QCOMPARE(as("operator", "SELECT silence_alert('a', " + std::string{until} + ", 'known')"),
            std::string{"22023"});
    }
    QCOMPARE(m_database->value("SELECT state FROM alerts"), std::string{"acknowledged"});
}

void TestPeople::aViewIsItsPersons()
{
    QCOMPARE(as("support", "SELECT save_view('letters', 'mine', '{\"a\":1}')"), std::string{});
    QCOMPARE(
        as("support", "SELECT save_view('letters', 'mine', '{\"a\":2}', true)"), std::string{});
    QCOMPARE(as("operator", "SELECT delete_view((SELECT id FROM saved_views))"), std::string{});
    QCOMPARE(m_database->table("SELECT filter ->> 'a', is_shared FROM saved_views"),
        std::string{"(2,t)"});
    QCOMPARE(as("support", "SELECT delete_view((SELECT id FROM saved_views))"), std::string{});
    QCOMPARE(m_database->value("SELECT count(*) FROM saved_views"), std::string{"0"});
}

void TestPeople::badInputIsRefused_data()
{
    QTest::addColumn<QByteArray>("call");
    QTest::addColumn<QByteArray>("state");

    QTest::newRow("no reason") << QByteArray{"discard_letters('{1}', '  ')"} << QByteArray{"22023"};
    QTest::newRow("no letters") << QByteArray{"discard_letters('{}', 'why not')"}
                                << QByteArray{"22023"};
    QTest::newRow("null letters") << QByteArray{"discard_letters(NULL, 'why not')"}
                                  << QByteArray{"22023"};
    QTest::newRow("too many letters")
        << QByteArray{"discard_letters(ARRAY(SELECT generate_series(1, 10001)::bigint), 'why')"}
        << QByteArray{"22023"};
    QTest::newRow("an empty note")
        << QByteArray{"annotate('user', '1', ' ')"} << QByteArray{"23514"};
    QTest::newRow("a note on nothing")
        << QByteArray{"annotate('moon', '1', 'hm')"} << QByteArray{"23503"};
    QTest::newRow("a tag with blanks")
        << QByteArray{"tag('user', '1', 'a b')"} << QByteArray{"23514"};
    QTest::newRow("nobody of that name")
        << QByteArray{"assign('user', '1', 'nobody')"} << QByteArray{"22023"};
}

void TestPeople::badInputIsRefused()
{
    QFETCH(QByteArray, call);
    QFETCH(QByteArray, state);
    QCOMPARE(as("operator", "SELECT " + call.toStdString()), state.toStdString());
    QCOMPARE(m_database->value("SELECT count(*) FROM operator_audit"), std::string{"0"});
}

void TestPeople::theAuditIsAppendOnly()
{
    QCOMPARE(as("support", "SELECT annotate('event', 'evt-1', 'hm')"), std::string{});
    for (const char* sql : {"DELETE FROM operator_audit", "TRUNCATE operator_audit",
             "UPDATE operator_audit SET actor = 'somebody else'",
             "UPDATE operator_audit SET no = 1, hash = '\\x01', detail = '{}'"}) {
        QCOMPARE(as("", sql), std::string{"42501"});
    }
    const char* seal = "UPDATE operator_audit SET no = 1, prev_hash = '\\x00', hash = '\\x01'";
    QCOMPARE(as("countersign_processor", seal), std::string{});
    QCOMPARE(as("countersign_processor", seal), std::string{"42501"});
}

void TestPeople::aPersonsOpenTransactionEnds()
{
    for (const char* login : {"support", "operator", "approver", "approver2", "admin"}) {
        QCOMPARE(m_database->value("SELECT array_to_string(rolconfig, ' ') FROM pg_roles WHERE"
                                   " rolname = '"
                     + std::string{login} + "'"),
            std::string{"idle_in_transaction_session_timeout=10000 statement_timeout=30000"
                        " lock_timeout=2000"});
    }
}

} // namespace

QTEST_GUILESS_MAIN(TestPeople)
#include "tst_people.moc"
