// More comes in than is settled: intake says so, and takes more as soon as it can.

#include "tests/support/daemon.h"
#include "tests/support/require.h"
#include "tests/support/stack.h"
#include "tests/support/wait.h"
#include "tests/support/webhook.h"

#include <QTest>
#include <memory>

using namespace std::chrono_literals;

namespace {

class TestSlowDown : public QObject
{
    Q_OBJECT

private slots:
    void aBacklogIsRefusedUntilItIsWorkedOff();

private:
    std::unique_ptr<support::Daemon> start(support::Database& database, const std::string& roles,
        const std::vector<std::string>& arguments = {});

    support::TestStack m_stack;
};

std::unique_ptr<support::Daemon> TestSlowDown::start(support::Database& database,
    const std::string& roles, const std::vector<std::string>& arguments)
{
    return support::require(support::Daemon::start({.databaseUrl = database.url(),
        .redisUrl = m_stack.redisUrl(),
        .secretFile = m_stack.secretFile(),
        .roles = roles,
        .arguments = arguments}));
}

void TestSlowDown::aBacklogIsRefusedUntilItIsWorkedOff()
{
    auto database = m_stack.createDatabase();
    database.addUsers(1, 1);
    const auto intake = start(database, "ingest",
        {"--backlog-max", "20", "--rate-limit-per-second", "0", "--rate-limit-per-minute", "0"});
    support::WebhookSender sender{intake->http(), base::Secret{m_stack.secret()}};
    int accepted = 0;
    support::WebhookAnswer last;
    const auto sendMore = [&] {
        last = support::require(sender.send({.eventId = "e-" + std::to_string(accepted)}));
        if (last.status == 200) ++accepted;
        return last.status;
    };

    QVERIFY(support::waitUntil([&] { return sendMore() == 503; }, 30s));

    QVERIFY(accepted > 20);
    QCOMPARE(last.word, std::string{"unavailable"});
    QVERIFY(std::stoi(last.retryAfter) > 0);
    QCOMPARE(sendMore(), 503); // and stays so while nobody settles

    const auto settler = start(database, "settle");
    QVERIFY(support::waitUntil([&] { return sendMore() == 200; }, 30s));
    // Everything that was answered 200 is settled, and nothing that was refused.
    QVERIFY(
        support::waitUntil([&] { return database.balance(1) == std::to_string(accepted); }, 30s));
    QCOMPARE(database.value("SELECT count(*) FROM payment_events"), std::to_string(accepted));
    QCOMPARE(database.brokenSums(), std::string{"0"});
}

} // namespace

QTEST_GUILESS_MAIN(TestSlowDown)
#include "tst_slow_down.moc"
