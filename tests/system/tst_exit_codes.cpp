// countersignd's answers to those who start it wrongly: the exit status says whose move it is.

#include "tests/support/process.h"
#include "tests/support/require.h"
#include "tests/support/stack.h"
#include "tests/support/wait.h"

#include <QTest>
#include <csignal>
#include <memory>

using namespace std::chrono_literals;

namespace {

// Only what a test says; nothing of what the developer has set.
const QStringList kUnset{"DATABASE_URL", "DATABASE_URL_FILE", "DATABASE_DIRECT_URL", "REDIS_URL",
    "REDIS_STREAMS_URL", "WEBHOOK_SECRET", "WEBHOOK_SECRET_FILE", "ADMIN_TOKEN"};

const QString kSecret{"WEBHOOK_SECRET=0123456789abcdef0123456789abcdef"};

std::unique_ptr<support::Process> start(
    const QStringList& arguments, const QStringList& environment)
{
    support::ProcessPlan plan{.program = support::binFolder() + "/countersignd"};
    for (const QString& one : arguments) plan.arguments.push_back(one.toStdString());
    for (const QString& one : kUnset + environment) plan.environment.push_back(one.toStdString());
    return support::require(support::Process::start(std::move(plan)));
}

class TestExitCodes : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { m_stack = std::make_unique<support::TestStack>(); }
    void cleanupTestCase() { m_stack.reset(); }

    void wrongStartsAreToldApart_data();
    void wrongStartsAreToldApart();
    void schemaThatIsMissingIsRefused();
    void schemaThatIsNewerIsRefused();
    void startThatWaitsForPostgresCanBeStopped();

private:
    std::unique_ptr<support::TestStack> m_stack;
};

void TestExitCodes::wrongStartsAreToldApart_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QStringList>("environment");
    QTest::addColumn<int>("status");
    QTest::addColumn<QStringList>("named");

    const QString url = "DATABASE_URL=postgresql://nobody@localhost:1/none";
    QTest::newRow("unknown flag") << QStringList{"serve", "--wings"} << QStringList{} << 64
                                  << QStringList{"--wings"};
    QTest::newRow("unknown command") << QStringList{"fly"} << QStringList{} << 64 << QStringList{};
    QTest::newRow("nothing given: both complaints at once") << QStringList{
        "serve"} << QStringList{} << 78 << QStringList{"DATABASE_URL", "WEBHOOK_SECRET"};
    QTest::newRow("short secret") << QStringList{"serve"}
                                  << QStringList{url, "WEBHOOK_SECRET=short"} << 78
                                  << QStringList{"32"};
    QTest::newRow("unknown role") << QStringList{"serve", "--roles=ingest,dance"}
                                  << QStringList{url, kSecret} << 78 << QStringList{"dance"};
    QTest::newRow("open admin without token")
        << QStringList{"serve", "--admin", "0.0.0.0:9090"} << QStringList{url, kSecret} << 78
        << QStringList{"admin_token"};
    QTest::newRow("import of no file")
        << QStringList{"users", "import", "/nowhere/users.csv"} << QStringList{url} << 65
        << QStringList{"/nowhere/users.csv"};
}

void TestExitCodes::wrongStartsAreToldApart()
{
    QFETCH(QStringList, arguments);
    QFETCH(QStringList, environment);
    QFETCH(int, status);
    QFETCH(QStringList, named);

    const auto process = start(arguments, environment);
    const auto ended = process->waitExit(30s);

    QVERIFY(ended.has_value());
    QCOMPARE(*ended, status);
    QCOMPARE(process->output(), std::string{});
    const QString complaint = QString::fromStdString(process->errorOutput());
    for (const QString& word : named) QVERIFY2(complaint.contains(word), qPrintable(complaint));
}

void TestExitCodes::schemaThatIsMissingIsRefused()
{
    const QString url
        = "DATABASE_URL=" + QString::fromStdString(m_stack->stores().databaseUrl("postgres"));
    const auto process
        = start({"serve", "--http", "127.0.0.1:0", "--admin", "127.0.0.1:0"}, {url, kSecret});
    QCOMPARE(process->waitExit(30s), std::optional{78});
    QVERIFY(process->errorOutput().find("countersignd migrate") != std::string::npos);
    QCOMPARE(process->output(), std::string{});
}

void TestExitCodes::schemaThatIsNewerIsRefused()
{
    auto database = m_stack->createDatabase();
    database.run(
        "INSERT INTO schema_migrations (number, name, sha256) "
        "SELECT max(number) + 1, 'from_the_future', repeat('0', 64) FROM schema_migrations");
    const QString url = "DATABASE_URL=" + QString::fromStdString(database.url());
    const auto process
        = start({"serve", "--http", "127.0.0.1:0", "--admin", "127.0.0.1:0"}, {url, kSecret});
    QCOMPARE(process->waitExit(30s), std::optional{78});
    const std::string said = process->errorOutput();
    QVERIFY2(said.find("newer than this program") != std::string::npos, said.c_str());
}

void TestExitCodes::startThatWaitsForPostgresCanBeStopped()
{
    const auto process = start({"serve", "--http", "127.0.0.1:0", "--admin", "127.0.0.1:0"},
        {"DATABASE_URL=postgresql://nobody@127.0.0.1:1/none", kSecret});
    QVERIFY(support::waitUntil(
        [&] { return process->errorOutput().find("does not answer yet") != std::string::npos; },
        20s));
    QCOMPARE(process->terminate(10s), std::optional{0});
    QCOMPARE(process->output(), std::string{});
}

} // namespace

QTEST_GUILESS_MAIN(TestExitCodes)
#include "tst_exit_codes.moc"
