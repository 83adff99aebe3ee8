#include "processor/daemon/user_import.h"
#include "tests/support/require.h"
#include "tests/support/stack.h"
#include "tests/support/wait.h"

#include <QTest>
#include <chrono>
#include <memory>
#include <optional>
#include <sstream>
#include <thread>

namespace {

class TestUserImport : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { m_stack = std::make_unique<support::TestStack>(); }
    void init() { m_database.emplace(m_stack->createDatabase()); }
    void cleanupTestCase()
    {
        m_database.reset();
        m_stack.reset();
    }

    void openingBalancesAreInTheBooks();
    void theSameFileAgainChangesNothing();
    void aCorrectedFileReplaces();
    void isRefusedAndNothingIsWritten_data();
    void isRefusedAndNothingIsWritten();
    void largeFilesAreOneTransaction();
    void settlementNeverWaitsForItsRows();

private:
    base::Result<processor::ImportReport> import(const std::string& text);
    std::string books();

    std::unique_ptr<support::TestStack> m_stack;
    std::optional<support::Database> m_database;
};

// As the daemon's role: that is all an import may need.
base::Result<processor::ImportReport> TestUserImport::import(const std::string& text)
{
    std::istringstream in{text};
    auto file = processor::readUserFile(in);
    if (!file) return file.error();
    pg::Connection connection = m_database->connect("countersign_processor");
    return processor::importUsers(connection, *file);
}

std::string TestUserImport::books()
{
    return m_database->table("SELECT user_id, asset, trim_scale(balance), "
                             "trim_scale(initial_balance), version FROM balances ORDER BY 1, 2");
}

void TestUserImport::openingBalancesAreInTheBooks()
{
    const auto report = import("2,bob,USDC,3.25\n1,anna,ETH,1.5\n1,anna,DAI,0\n3,,,\n");
    QVERIFY2(report, report ? "" : report.error().message.c_str());
    QCOMPARE(report->users, std::size_t{3});
    QCOMPARE(report->balances, std::size_t{3});
    QCOMPARE(
        QString::fromStdString(m_database->table("SELECT id, external_ref FROM users ORDER BY 1"))
            .trimmed(),
        QString{"(1,anna)\n(2,bob)\n(3,)"});
    QCOMPARE(QString::fromStdString(books()).trimmed(),
        QString{"(1,DAI,0,0,0)\n(1,ETH,1.5,1.5,0)\n(2,USDC,3.25,3.25,0)"});
    QCOMPARE(m_database->brokenSums(), std::string{"0"});
}

void TestUserImport::theSameFileAgainChangesNothing()
{
    QVERIFY(import("1,anna,ETH,1.5\n"));
    const std::string before = books();
    QVERIFY(import("1,anna,ETH,1.5\n"));
    QCOMPARE(books(), before);
}

void TestUserImport::aCorrectedFileReplaces()
{
    QVERIFY(import("1,anna,ETH,1.5\n"));
    QVERIFY(import("1,anna,ETH,2\n"));
    QCOMPARE(QString::fromStdString(books()).trimmed(), QString{"(1,ETH,2,2,0)"});
}

void TestUserImport::isRefusedAndNothingIsWritten_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("complaint");

    QTest::newRow("asset nobody knows") << "5,,ETH,1\n6,,GOLD,1\n"
                                        << "unknown assets: GOLD";
    QTest::newRow("money that has moved") << "5,,ETH,1\n9,,ETH,1\n"
                                          << "has moved already: 9";
    QTest::newRow("another reference") << "5,,ETH,1\n8,eve,ETH,1\n"
                                       << "known under another external_ref: 8";
    QTest::newRow("somebody else's reference") << "5,carl,ETH,1\n"
                                               << "belongs to another user";
}

void TestUserImport::isRefusedAndNothingIsWritten()
{
    QFETCH(QString, text);
    QFETCH(QString, complaint);
    m_database->run(
        "INSERT INTO users (id, external_ref) VALUES (8, 'carl'), (9, NULL);"
        "INSERT INTO balances (user_id, asset, balance, version) VALUES (9, 'ETH', 1, 1);"
        "INSERT INTO balance_events (user_id, asset, amount, balance_after, version,"
        " source_event_id, event_type, event_no)"
        " VALUES (9, 'ETH', 1, 1, 1, 'e', 'deposit', 1)");
    const std::string before = books();

    const auto report = import(text.toStdString());

    QVERIFY(!report);
    QVERIFY2(report.error().message.find(complaint.toStdString()) != std::string::npos,
        report.error().message.c_str());
    QCOMPARE(report.error().kind, base::ErrorKind::Invalid);
    QCOMPARE(books(), before);
    QCOMPARE(m_database->value("SELECT count(*) FROM users WHERE id = 5"), std::string{"0"});
}

void TestUserImport::largeFilesAreOneTransaction()
{
    std::string text;
    for (int user = 1; user <= 5'000; ++user) {
        text += std::to_string(user) + ",,ETH,1\n" + std::to_string(user) + ",,USDC,2\n";
    }
    QVERIFY(!import(text + "5001,,GOLD,1\n"));
    QCOMPARE(m_database->value("SELECT count(*) FROM users"), std::string{"0"});
    const auto report = import(text);
    QVERIFY2(report, report ? "" : report.error().message.c_str());
    QCOMPARE(
        m_database->value("SELECT trim_scale(sum(balance)) FROM balances"), std::string{"15000"});
    QCOMPARE(m_database->value("SELECT count(DISTINCT xmin::text) FROM users"), std::string{"1"});
}

void TestUserImport::settlementNeverWaitsForItsRows()
{
    m_database->run("INSERT INTO users (id) VALUES (7), (8);"
                    "INSERT INTO balances (user_id, asset) VALUES (8, 'ETH')");
    auto other = m_database->connect();
    support::require(other.runScript("BEGIN; SELECT FROM balances WHERE user_id = 8 FOR UPDATE"));
    std::optional<base::Result<processor::ImportReport>> report;
    std::jthread importing{[&] { report = import("6,,ETH,1\n7,,ETH,1\n8,,ETH,1\n"); }};
    QVERIFY(support::waitUntil(
        [&] { return m_database->value("SELECT count(*) FROM pg_locks WHERE NOT granted") != "0"; },
        std::chrono::seconds{8}));

    // What settlement does for an account without a row, in the middle of the import.
    auto settling = m_database->connect();
    support::require(settling.runScript("SET lock_timeout = '2s'"));
    const auto made = settling.runScript(
        "INSERT INTO balances (user_id, asset) VALUES (7, 'ETH') ON CONFLICT DO NOTHING");
    support::require(other.runScript("COMMIT"));
    importing.join();

    QVERIFY2(made, made ? "" : made.error().message.c_str());
    QVERIFY2(*report, *report ? "" : report->error().message.c_str());
    QCOMPARE(QString::fromStdString(books()).trimmed(),
        QString{"(6,ETH,1,1,0)\n(7,ETH,1,1,0)\n(8,ETH,1,1,0)"});
}

} // namespace

QTEST_GUILESS_MAIN(TestUserImport)
#include "tst_user_import.moc"
