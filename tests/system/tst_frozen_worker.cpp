// A worker that is frozen in the middle of a transaction: its lanes are served by another one
// within fifteen seconds, and continued it changes nothing.

#include "tests/support/daemon.h"
#include "tests/support/require.h"
#include "tests/support/stack.h"
#include "tests/support/wait.h"

#include <QTest>
#include <chrono>
#include <csignal>
#include <memory>

using namespace std::chrono_literals;

namespace {

class TestFrozenWorker : public QObject
{
    Q_OBJECT

private slots:
    void itsLanesAreServedByAnother();

private:
    std::unique_ptr<support::Daemon> start(support::Database& database, const std::string& roles);
    static void put(support::Database& database, int number);

    support::TestStack m_stack;
};

std::unique_ptr<support::Daemon> TestFrozenWorker::start(
    support::Database& database, const std::string& roles)
{
    return support::require(support::Daemon::start({.databaseUrl = database.url(),
        .redisUrl = m_stack.redisUrl(),
        .secretFile = m_stack.secretFile(),
        .roles = roles}));
}

// As intake would have it: a deposit of 10 to user 1 by way of a merchant.
void TestFrozenWorker::put(support::Database& database, int number)
{
    const std::string no = std::to_string(number);
    database.run("INSERT INTO payment_events (event_no, event_id, event_type, source, user_id,"
                 " asset, amount, merchant_id, trace_id) VALUES ("
        + no + ", 'e-" + no + "', 'deposit', 'payments', 1, 'ETH', 10, 'shop', 't');"
        + " INSERT INTO event_queue (event_no, user_id, lane) VALUES (" + no + ", 1, 1)");
}

void TestFrozenWorker::itsLanesAreServedByAnother()
{
    auto database = m_stack.createDatabase();
    database.addUsers(1, 1);
    database.run("INSERT INTO merchant_balances (merchant_id, asset) VALUES ('shop', 'ETH')");
    const auto worker = start(database, "settle");
    // It waits for the merchant's row in its second round trip, with its lanes locked …
    auto holder = database.connect();
    support::require(holder.runScript("BEGIN; SELECT FROM merchant_balances FOR UPDATE"));
    put(database, 1);
    const auto isBlocked = [&] {
        return database.value("SELECT count(*) FROM pg_stat_activity WHERE datname ="
                              " current_database() AND usename = 'countersign_processor'"
                              " AND wait_event_type = 'Lock'")
            == "1";
    };
    QVERIFY(support::waitUntil(isBlocked, 10s));
    // … and there it stops, with its row written and its answer unread.
    worker->process().signal(SIGSTOP);
    const auto frozenAt = std::chrono::steady_clock::now();
    support::require(holder.runScript("ROLLBACK"));

    auto other = start(database, "settle,watch");
    const auto isSettled = [&](int number) {
        return database.value(
                   "SELECT outcome FROM payment_events WHERE event_no = " + std::to_string(number))
            == "confirmed";
    };
    QVERIFY(support::waitUntil([&] { return isSettled(1); }, 30s));
    const auto took = std::chrono::steady_clock::now() - frozenAt;
    QVERIFY2(took < 15s,
        qPrintable(
            QString::number(std::chrono::duration_cast<std::chrono::milliseconds>(took).count())));

    other->process().terminate();
    worker->process().signal(SIGCONT);
    put(database, 2); // it is the only one now, and goes on
    QVERIFY(support::waitUntil([&] { return isSettled(2); }, 30s));
    QCOMPARE(database.balance(1), std::string{"20"});
    QCOMPARE(
        database.value("SELECT trim_scale(balance) FROM merchant_balances"), std::string{"20"});
    QCOMPARE(database.value("SELECT count(*) FROM balance_events"), std::string{"2"});
    QCOMPARE(database.brokenSums(), std::string{"0"});
    QCOMPARE(database.value("SELECT count(*) FROM event_attempts"), std::string{"0"}); // no failure
}

} // namespace

QTEST_GUILESS_MAIN(TestFrozenWorker)
#include "tst_frozen_worker.moc"
