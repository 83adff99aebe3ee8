// Many processes, one event: the unique key decides, not who was first to look.

#include "tests/support/daemon.h"
#include "tests/support/require.h"
#include "tests/support/stack.h"
#include "tests/support/wait.h"
#include "tests/support/webhook.h"

#include <QTest>
#include <barrier>
#include <chrono>
#include <thread>
#include <vector>

using namespace std::chrono_literals;

namespace {

constexpr int kProcesses = 10;

class TestExactlyOnce : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void duplicate_deposits_produce_single_credit();
    void racing_withdrawals_never_overdraw();
    void settlesWhenTheStreamIsTheWakeUp();

private:
    std::vector<support::WebhookAnswer> sendAtOnce(const std::vector<support::Payment>& payments);
    void startProcesses();

    support::TestStack m_stack;
    std::unique_ptr<support::Database> m_database;
    std::vector<std::unique_ptr<support::Daemon>> m_daemons;
};

void TestExactlyOnce::init()
{
    m_database = std::make_unique<support::Database>(m_stack.createDatabase());
    (void)m_stack.connectRedis(true);
    startProcesses();
}

void TestExactlyOnce::cleanup()
{
    m_daemons.clear();
}

void TestExactlyOnce::startProcesses()
{
    for (int i = 0; i < kProcesses; ++i) {
        support::DaemonPlan plan;
        plan.databaseUrl = m_database->url();
        plan.redisUrl = m_stack.redisUrl();
        plan.secretFile = m_stack.secretFile();
        plan.roles = i == 0 ? "ingest,settle,dispatch,watch" : "ingest,settle";
        m_daemons.push_back(support::require(support::Daemon::start(plan)));
    }
}

// One payment for each process, all on one barrier.
std::vector<support::WebhookAnswer> TestExactlyOnce::sendAtOnce(
    const std::vector<support::Payment>& payments)
{
    std::vector<support::WebhookAnswer> answers(payments.size());
    std::barrier ready{static_cast<std::ptrdiff_t>(payments.size())};
    {
        std::vector<std::jthread> senders;
        for (std::size_t i = 0; i < payments.size(); ++i) {
            senders.emplace_back([&, i] {
                support::WebhookSender sender{
                    m_daemons[i % m_daemons.size()]->http(), base::Secret{m_stack.secret()}};
                ready.arrive_and_wait();
                answers[i] = support::require(sender.send(payments[i]));
            });
        }
    }
    return answers;
}

void TestExactlyOnce::duplicate_deposits_produce_single_credit()
{
    m_database->addUsers(1, 1);
    m_database->addBalance(1, "ETH", "100");

    const auto answers = sendAtOnce(std::vector<support::Payment>(
        kProcesses, {.eventId = "evt-once", .eventType = "deposit", .userId = 1, .amount = "50"}));

    int accepted = 0;
    for (const auto& answer : answers) {
        QCOMPARE(answer.status, 200);
        QVERIFY2(answer.word == "accepted" || answer.word == "duplicate", answer.word.c_str());
        accepted += answer.word == "accepted" ? 1 : 0;
    }
    QCOMPARE(accepted, 1);

    QVERIFY(support::waitUntil([this] { return m_database->balance(1) == "150"; }, 30s));
    // The ten had their say; only now would a second credit show, so look at everything there is.
    QCOMPARE(m_database->value("SELECT count(*) FROM event_queue"), std::string{"0"});
    QCOMPARE(m_database->value("SELECT count(*) FROM balance_events"), std::string{"1"});
    QCOMPARE(m_database->value("SELECT count(*) FROM processed_events WHERE outcome = 'success'"),
        std::string{"1"});
    QCOMPARE(m_database->value("SELECT count(*) FROM payment_events"), std::string{"1"});
    QCOMPARE(m_database->value("SELECT count(*) FROM payment_log WHERE kind = 'payment.confirmed'"),
        std::string{"1"});
    QCOMPARE(m_database->value("SELECT count(*) FROM notifications"), std::string{"1"});
    QCOMPARE(m_database->value("SELECT count(*) FROM deliveries"), std::string{"10"});
    QCOMPARE(m_database->balance(1), std::string{"150"});
    QCOMPARE(m_database->brokenSums(), std::string{"0"});
}

void TestExactlyOnce::racing_withdrawals_never_overdraw()
{
    m_database->addUsers(1, 1);
    m_database->addBalance(1, "ETH", "100");
    std::vector<support::Payment> payments;
    for (int i = 0; i < kProcesses; ++i) {
        payments.push_back({.eventId = "evt-out-" + std::to_string(i),
            .eventType = "withdrawal",
            .userId = 1,
            .amount = "30"});
    }

    for (const auto& answer : sendAtOnce(payments)) QCOMPARE(answer.word, std::string{"accepted"});

    QVERIFY(support::waitUntil(
        [this] {
            return m_database->value(
                       "SELECT count(*) FROM payment_events WHERE outcome IS NOT NULL")
                == "10";
        },
        30s));
    QCOMPARE(m_database->balance(1), std::string{"10"});
    QCOMPARE(m_database->value("SELECT count(*) FROM balance_events"), std::string{"3"});
    QCOMPARE(m_database->value(
                 "SELECT count(*) FROM payment_events WHERE failure = 'insufficient_funds'"),
        std::string{"7"});
    QCOMPARE(m_database->value("SELECT count(*) FROM dead_letter_queue"), std::string{"0"});
    QCOMPARE(m_database->brokenSums(), std::string{"0"});
}

void TestExactlyOnce::settlesWhenTheStreamIsTheWakeUp()
{
    m_daemons.clear();
    support::DaemonPlan plan;
    plan.databaseUrl = m_database->url();
    plan.redisUrl = m_stack.redisUrl();
    plan.secretFile = m_stack.secretFile();
    plan.environment
        = {"COUNTERSIGN_RATE_LIMIT_PER_SECOND=0", "COUNTERSIGN_RATE_LIMIT_PER_MINUTE=0"};
    plan.roles = "ingest,dispatch";
    m_daemons.push_back(support::require(support::Daemon::start(plan)));
    plan.roles = "settle";
    plan.arguments = {"--settle-from=stream"};
    m_daemons.push_back(support::require(support::Daemon::start(plan)));
    m_database->addUsers(1, 1);

    support::WebhookSender sender{m_daemons[0]->http(), base::Secret{m_stack.secret()}};
    for (int i = 0; i < 50; ++i) {
        const support::Payment payment{.eventId = "evt-stream-" + std::to_string(i)};
        QCOMPARE(support::require(sender.send(payment)).word, std::string{"accepted"});
    }

    QVERIFY(support::waitUntil([this] { return m_database->balance(1) == "50"; }, 30s));
    // Every entry of the group is acknowledged once its work row has ended.
    auto redis = m_stack.connectRedis();
    QVERIFY(support::waitUntil(
        [&redis] {
            const auto groups = redis.run({"XPENDING", "payments:events", "balance_updaters"});
            return groups && !groups->items.empty() && groups->items[0].integer == 0;
        },
        30s));
    QCOMPARE(m_database->value("SELECT count(*) FROM balance_events"), std::string{"50"});
    QCOMPARE(m_database->brokenSums(), std::string{"0"});
}

} // namespace

QTEST_GUILESS_MAIN(TestExactlyOnce)
#include "tst_exactly_once.moc"
