// Amounts from the bytes of a signed request to the balance: exact, or refused by the rule's name.

#include "tests/support/daemon.h"
#include "tests/support/require.h"
#include "tests/support/stack.h"
#include "tests/support/wait.h"
#include "tests/support/webhook.h"

#include <QTest>
#include <chrono>
#include <memory>

using namespace std::chrono_literals;

namespace {

class TestAmountsOnTheWire : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void refusesWithTheRulesName_data();
    void refusesWithTheRulesName();
    void creditsExactly_data();
    void creditsExactly();
    void aBalanceBeyondTheLimitBecomesALetter();

private:
    support::TestStack m_stack;
    std::unique_ptr<support::Database> m_database;
    std::unique_ptr<support::Daemon> m_daemon;
    std::unique_ptr<support::WebhookSender> m_sender;
    std::int64_t m_user = 0;
};

void TestAmountsOnTheWire::initTestCase()
{
    m_database = std::make_unique<support::Database>(m_stack.createDatabase());
    m_database->addUsers(1, 100);
    support::DaemonPlan plan;
    plan.databaseUrl = m_database->url();
    plan.redisUrl = m_stack.redisUrl();
    plan.secretFile = m_stack.secretFile();
    plan.environment
        = {"COUNTERSIGN_RATE_LIMIT_PER_SECOND=0", "COUNTERSIGN_RATE_LIMIT_PER_MINUTE=0"};
    m_daemon = support::require(support::Daemon::start(plan));
    m_sender = std::make_unique<support::WebhookSender>(
        m_daemon->http(), base::Secret{m_stack.secret()});
}

void TestAmountsOnTheWire::refusesWithTheRulesName_data()
{
    QTest::addColumn<QByteArray>("amount"); // as it stands in the JSON
    QTest::addColumn<QByteArray>("code");

    QTest::newRow("a sign") << QByteArray{"\"+50.1\""} << QByteArray{"invalid_amount"};
    QTest::newRow("a minus") << QByteArray{"\"-50.1\""} << QByteArray{"invalid_amount"};
    QTest::newRow("an underscore") << QByteArray{"\"1_000\""} << QByteArray{"invalid_amount"};
    QTest::newRow("Arabic digits") << QByteArray{"\"١٢٣\""} << QByteArray{"invalid_amount"};
    QTest::newRow("a blank") << QByteArray{"\" 50\""} << QByteArray{"invalid_amount"};
    QTest::newRow("19 decimals") << QByteArray{"\"1e-19\""} << QByteArray{"invalid_amount"};
    QTest::newRow("10^20") << QByteArray{"\"100000000000000000000\""}
                           << QByteArray{"invalid_amount"};
    QTest::newRow("10^20 as exponent") << QByteArray{"\"1e20\""} << QByteArray{"invalid_amount"};
    QTest::newRow("an exponent bomb")
        << QByteArray{"\"1e1000000000\""} << QByteArray{"invalid_amount"};
    QTest::newRow("zero") << QByteArray{"\"0.000\""} << QByteArray{"invalid_amount"};
    QTest::newRow("no digits") << QByteArray{"\"\""} << QByteArray{"invalid_amount"};
    QTest::newRow("infinity") << QByteArray{"\"Infinity\""} << QByteArray{"invalid_amount"};
    QTest::newRow("a JSON number") << QByteArray{"50.1"} << QByteArray{"amount_not_string"};
    QTest::newRow("a JSON integer") << QByteArray{"50"} << QByteArray{"amount_not_string"};
    QTest::newRow("null is nothing") << QByteArray{"null"} << QByteArray{"missing_field"};
}

void TestAmountsOnTheWire::refusesWithTheRulesName()
{
    QFETCH(QByteArray, amount);
    QFETCH(QByteArray, code);

    const std::string body = R"({"event_id":"evt-bad-)" + std::string{QTest::currentDataTag()}
        + R"(","event_type":"deposit","user_id":1,"amount":)" + amount.toStdString() + "}";
    const auto answer = support::require(m_sender->sendBody(body));

    QCOMPARE(answer.status, 400);
    QCOMPARE(answer.word, code.toStdString());
    QVERIFY(!answer.detail.empty());
    QVERIFY(!answer.traceId.empty());
    // An authentic body is kept, whatever the answer.
    QCOMPARE(
        m_database->value(
            "SELECT count(*) FROM quarantine WHERE convert_from(body, 'UTF8') = '" + body + "'"),
        std::string{"1"});
}

void TestAmountsOnTheWire::creditsExactly_data()
{
    QTest::addColumn<QByteArray>("amount");
    QTest::addColumn<QByteArray>("balance");

    QTest::newRow("19 zero decimals") << QByteArray{"50.0000000000000000000"} << QByteArray{"50"};
    QTest::newRow("one wei") << QByteArray{"0.000000000000000001"}
                             << QByteArray{"0.000000000000000001"};
    QTest::newRow("what a float cannot hold") << QByteArray{"50.1"} << QByteArray{"50.1"};
    QTest::newRow("20 nines") << QByteArray{"99999999999999999999"}
                              << QByteArray{"99999999999999999999"};
    QTest::newRow("20 nines and 18 decimals")
        << QByteArray{"99999999999999999999.999999999999999999"}
        << QByteArray{"99999999999999999999.999999999999999999"};
    QTest::newRow("an exponent") << QByteArray{"1.5e3"} << QByteArray{"1500"};
    QTest::newRow("a small exponent") << QByteArray{"1E-18"} << QByteArray{"0.000000000000000001"};
}

void TestAmountsOnTheWire::creditsExactly()
{
    QFETCH(QByteArray, amount);
    QFETCH(QByteArray, balance);
    const std::int64_t user = 10 + m_user++;

    const auto answer
        = support::require(m_sender->send({.eventId = "evt-good-" + std::to_string(user),
            .userId = user,
            .amount = amount.toStdString()}));

    QCOMPARE(answer.word, std::string{"accepted"});
    QVERIFY(support::waitUntil([&] { return m_database->balance(user) != "0"; }, 30s));
    QCOMPARE(m_database->balance(user), balance.toStdString());
    QCOMPARE(m_database->value("SELECT trim_scale(amount) FROM balance_events WHERE user_id = "
                 + std::to_string(user)),
        balance.toStdString());
}

void TestAmountsOnTheWire::aBalanceBeyondTheLimitBecomesALetter()
{
    m_database->addBalance(90, "ETH", "99999999999999999999");

    const auto answer = support::require(
        m_sender->send({.eventId = "evt-too-much", .userId = 90, .amount = "1"}));

    QCOMPARE(answer.word, std::string{"accepted"});
    QVERIFY(support::waitUntil(
        [this] { return m_database->value("SELECT count(*) FROM dead_letter_queue") == "1"; },
        30s));
    QCOMPARE(m_database->value("SELECT outcome || ' ' || failure FROM payment_events"
                               " WHERE event_id = 'evt-too-much'"),
        std::string{"failed balance_overflow"});
    QCOMPARE(m_database->balance(90), std::string{"99999999999999999999"});
    QCOMPARE(m_database->value("SELECT count(*) FROM balance_events WHERE user_id = 90"),
        std::string{"0"});
    QCOMPARE(m_database->value("SELECT string_agg(kind, ',' ORDER BY no) FROM payment_log"
                               " WHERE user_id = 90"),
        std::string{"payment.enqueued,payment.failed,payment.dead_lettered"});
    QCOMPARE(m_database->brokenSums(), std::string{"0"});
}

} // namespace

QTEST_GUILESS_MAIN(TestAmountsOnTheWire)
#include "tst_amounts_on_the_wire.moc"
