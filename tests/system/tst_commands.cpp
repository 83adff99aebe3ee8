// The commands beside serve, as somebody types them.

#include "tests/support/process.h"
#include "tests/support/require.h"
#include "tests/support/stack.h"

#include <QTest>
#include <fstream>
#include <memory>

using namespace std::chrono_literals;

namespace {

struct Ended
{
    int status;
    std::string output;
    std::string complaint;
};

class TestCommands : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { m_stack = std::make_unique<support::TestStack>(); }
    void cleanupTestCase() { m_stack.reset(); }

    void migrateBringsAnEmptyDatabaseUp();
    void usersAreImported();
    void badFileNamesItsLines();
    void assetsAreAddedOnce();
    void peopleAreAdded();
    void whoMayNotMakeRolesPrintsHow();
    void mixturesOfRolesAreRefused();
    void doctorReports();
    void configIsShownWithoutSecrets();

private:
    Ended run(const std::vector<std::string>& arguments, const std::string& databaseUrl,
        std::vector<std::string> more = {});

    std::unique_ptr<support::TestStack> m_stack;
    support::TempFolder m_folder;
};

Ended TestCommands::run(const std::vector<std::string>& arguments, const std::string& databaseUrl,
    std::vector<std::string> more)
{
    support::ProcessPlan plan{.program = support::binFolder() + "/countersignd",
        .arguments = arguments,
        .environment
        = {"DATABASE_URL_FILE", "DATABASE_DIRECT_URL", "WEBHOOK_SECRET", "WEBHOOK_SECRET_FILE",
            "DATABASE_URL=" + databaseUrl, "REDIS_URL=" + m_stack->redisUrl()}};
    plan.environment.insert(plan.environment.end(), more.begin(), more.end());
    const auto process = support::require(support::Process::start(std::move(plan)));
    const int status = process->waitExit(60s).value_or(-1);
    return {status, process->output(), process->errorOutput()};
}

void TestCommands::migrateBringsAnEmptyDatabaseUp()
{
    support::Database maintenance{m_stack->stores().databaseUrl("postgres")};
    maintenance.run("CREATE DATABASE empty");
    const std::string url = m_stack->stores().databaseUrl("empty");

    const auto plan = run({"migrate", "--plan"}, url);
    QCOMPARE(plan.status, 0);
    QVERIFY(plan.output.starts_with("would apply 0001_money_path\n"));
    const auto applied = run({"migrate", "--json"}, url);
    QVERIFY2(applied.status == 0, applied.complaint.c_str());
    QVERIFY(applied.output.find("\"applied\":[\"0001_money_path\"") != std::string::npos);
    QCOMPARE(run({"migrate"}, url).output, std::string{"the schema is current\n"});
}

void TestCommands::usersAreImported()
{
    auto database = m_stack->createDatabase();
    const std::string file = m_folder.file("users.csv");
    std::ofstream{file}
        << "user_id,external_ref,asset,opening_balance\n1,anna,ETH,1.5\n2,,USDC,7\n";

    const auto imported = run({"users", "import", file, "--json"}, database.url());

    QVERIFY2(imported.status == 0, imported.complaint.c_str());
    QCOMPARE(imported.output, std::string{"{\"users\":2,\"balances\":2}\n"});
    QCOMPARE(database.balance(1), std::string{"1.5"});
    QCOMPARE(database.balance(2, "USDC"), std::string{"7"});
    QCOMPARE(database.brokenSums(), std::string{"0"});
}

void TestCommands::badFileNamesItsLines()
{
    auto database = m_stack->createDatabase();
    const std::string file = m_folder.file("bad.csv");
    std::ofstream{file} << "1,anna,ETH,1.5\nx,,USDC,7\n3,,ETH,+1\n";
    const auto refused = run({"users", "import", file}, database.url());
    QCOMPARE(refused.status, 65);
    QVERIFY(refused.complaint.find("line 2") != std::string::npos);
    QVERIFY(refused.complaint.find("line 3") != std::string::npos);
    QCOMPARE(database.value("SELECT count(*) FROM users"), std::string{"0"});
}

void TestCommands::assetsAreAddedOnce()
{
    auto database = m_stack->createDatabase();
    const std::vector<std::string> link{
        "assets", "add", "LINK", "eip155:1", "0x514910771AF9Ca656af840dff83E8264EcF986CA", "18"};
    const auto added = run(link, database.url());
    QVERIFY2(added.status == 0, added.complaint.c_str());
    QCOMPARE(added.output, std::string{"LINK added\n"});
    QCOMPARE(run(link, database.url()).output, std::string{"LINK was there already\n"});
    QCOMPARE(database.value("SELECT contract FROM assets WHERE asset = 'LINK'"),
        std::string{"0x514910771af9ca656af840dff83e8264ecf986ca"});

    auto other = link;
    other[5] = "6";
    QCOMPARE(run(other, database.url()).status, 65);
    const auto taken = run({"assets", "add", "WEI", "eip155:1", "native", "18"}, database.url());
    QCOMPARE(taken.status, 65);
    QVERIFY(taken.complaint.find("ETH on eip155:1, native, 18 decimals") != std::string::npos);
}

void TestCommands::peopleAreAdded()
{
    auto database = m_stack->createDatabase();
    const std::string odd = "O'Neill \"x\"; --";
    for (int i = 0; i < 2; ++i) { // the second time changes nothing
        const auto added = run({"people", "add", odd, "operator"}, database.url());
        QVERIFY2(added.status == 0, added.complaint.c_str());
        QCOMPARE(added.output, odd + " is " + odd + "'s login as operator\n");
    }
    QCOMPARE(database.value("SELECT setconfig FROM pg_db_role_setting JOIN pg_roles"
                            " ON oid = setrole WHERE rolname LIKE 'O''Neill%'"),
        std::string{"{idle_in_transaction_session_timeout=10s,statement_timeout=30s,"
                    "lock_timeout=2s}"});
    auto connection = database.connect(odd);
    const auto noted = connection.runScript(
        "SELECT annotate('user', '1', 'hm'); SELECT assign('user', '1', 'support')");
    QVERIFY2(static_cast<bool>(noted), noted ? "" : noted.error().message.c_str());
    QVERIFY(!connection.runScript("CREATE ROLE other"));

    const auto list = run({"people", "list"}, database.url());
    QVERIFY(list.output.find(odd + "  " + odd + "  operator\n") != std::string::npos);
    QVERIFY(list.output.find("admin  admin  admin, support\n") != std::string::npos);
    const auto json = run({"people", "list", "--json"}, database.url());
    QVERIFY(json.output.find("{\"login\":\"approver2\",\"person\":\"approver2\","
                             "\"roles\":\"approver\"}")
        != std::string::npos);
}

void TestCommands::whoMayNotMakeRolesPrintsHow()
{
    auto database = m_stack->createDatabase();
    const auto url = database.urlOf("admin");

    const auto added = run({"people", "add", "Ivan", "approver", "--json"}, url);
    QVERIFY2(added.status == 0, added.complaint.c_str());
    QVERIFY(added.output.find("\"done\":false") != std::string::npos);
    QVERIFY(run({"people", "list"}, url).output.find("Ivan  Ivan  no role granted yet\n")
        != std::string::npos);

    const auto script = run({"people", "add", "Ivan", "approver"}, url).output;
    QVERIFY(script.starts_with("-- "));
    database.run(script); // as the DBA
    QVERIFY(
        run({"people", "list"}, url).output.find("Ivan  Ivan  approver\n") != std::string::npos);
    // Who may not write the table of people is told so.
    const auto refused = run({"people", "add", "Olga", "approver"}, database.urlOf("operator"));
    QVERIFY(refused.status != 0);
    QVERIFY(refused.complaint.find("permission denied") != std::string::npos);
}

void TestCommands::mixturesOfRolesAreRefused()
{
    auto database = m_stack->createDatabase();
    const auto refusal = [&](const std::vector<std::string>& operands) {
        std::vector<std::string> words{"people", "add"};
        words.insert(words.end(), operands.begin(), operands.end());
        const auto ended = run(words, database.url());
        return ended.status == 65 ? ended.complaint : "";
    };
    QVERIFY(refusal({"approver", "admin"}).find("an admin is never") != std::string::npos);
    QVERIFY(refusal({"admin", "approver"}).find("an admin is never") != std::string::npos);
    QVERIFY(refusal({"boss", "approver", "--person", "admin"}).find("an admin is never")
        != std::string::npos);
    QVERIFY(refusal({"support", "operator"}).find("revoke") != std::string::npos);
    QVERIFY(
        refusal({"support", "support", "--person", "me"}).find("support's") != std::string::npos);
    QVERIFY(refusal({"postgres", "support"}).find("superuser") != std::string::npos);
    QCOMPARE(database.value("SELECT count(*) FROM people"), std::string{"5"});
}

void TestCommands::doctorReports()
{
    auto database = m_stack->createDatabase();
    const auto report = run({"doctor", "--json"}, database.url());
    QCOMPARE(report.status, 1); // the stores of tests run without fsync
    QVERIFY(report.output.starts_with("{\"ok\":false,"));
    QVERIFY(
        report.output.find("\"subject\":\"failover\",\"grade\":\"warning\"") != std::string::npos);
    const auto text = run({"doctor"}, database.url());
    QVERIFY(text.output.find("wrong    durability: fsync=off") != std::string::npos);
    const auto away = run({"doctor"}, "postgresql://127.0.0.1:1/none");
    QCOMPARE(away.status, 1);
}

void TestCommands::configIsShownWithoutSecrets()
{
    const std::string url = "postgresql://me:hidden-word@localhost/books";
    const auto shown = run(
        {"config", "show"}, url, {"WEBHOOK_SECRET=0123456789abcdef0123456789abcdef-hidden-word"});
    QVERIFY2(shown.status == 0, shown.complaint.c_str());
    QVERIFY(shown.output.find("hidden-word") == std::string::npos);
    QVERIFY(shown.output.find("books") != std::string::npos);
    QCOMPARE(run({"config", "sample"}, url).status, 0);
}

} // namespace

QTEST_GUILESS_MAIN(TestCommands)
#include "tst_commands.moc"
