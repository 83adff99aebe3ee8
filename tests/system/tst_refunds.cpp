// Refunds from the signed request to the books: never more than their deposit gave, and only to the
// account it was given to.

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

class TestRefunds : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void givesBackWhatItsDepositGave();
    void neverMoreThanItsDepositGave();
    void onlyFromTheAccountOfItsDeposit_data();
    void onlyFromTheAccountOfItsDeposit();
    void waitsForADepositThatComesLater();
    void needsItsOriginal();
    void anotherOriginalIsAConflict();
    void cleanupTestCase();

private:
    support::WebhookAnswer send(const support::Payment& payment);
    void deposit(const std::string& id, std::int64_t user, const std::string& amount);
    // "confirmed", or "failed" and why; waits for it.
    std::string endOf(const std::string& id);

    support::TestStack m_stack;
    std::unique_ptr<support::Database> m_database;
    std::unique_ptr<support::Daemon> m_daemon;
    std::unique_ptr<support::WebhookSender> m_sender;
};

support::Payment refund(const std::string& id, std::int64_t user, const std::string& amount,
    const std::string& original)
{
    return {.eventId = id,
        .eventType = "refund",
        .userId = user,
        .amount = amount,
        .more = {{"original_event_id", original}, {"merchant_id", "shop"}}};
}

void TestRefunds::initTestCase()
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

support::WebhookAnswer TestRefunds::send(const support::Payment& payment)
{
    return support::require(m_sender->send(payment));
}

void TestRefunds::deposit(const std::string& id, std::int64_t user, const std::string& amount)
{
    QCOMPARE(
        send({.eventId = id, .userId = user, .amount = amount, .more = {{"merchant_id", "shop"}}})
            .word,
        std::string{"accepted"});
}

std::string TestRefunds::endOf(const std::string& id)
{
    std::string end;
    // What has not ended by then is an empty text, which no test expects.
    (void)support::waitUntil(
        [&] {
            end = m_database->value("SELECT concat_ws(' ', outcome, failure) FROM payment_events "
                                    "WHERE outcome IS NOT NULL AND event_id = '"
                + id + "'");
            return !end.empty();
        },
        20s);
    return end;
}

void TestRefunds::givesBackWhatItsDepositGave()
{
    deposit("d-1", 1, "5");

    QCOMPARE(send(refund("r-1", 1, "2", "d-1")).word, std::string{"accepted"});
    QCOMPARE(send(refund("r-1", 1, "2", "d-1")).word, std::string{"duplicate"});

    QCOMPARE(endOf("r-1"), std::string{"confirmed"});
    QCOMPARE(m_database->balance(1), std::string{"3"});
    QCOMPARE(m_database->value("SELECT trim_scale(balance)::text FROM merchant_balances "
                               "WHERE merchant_id = 'shop' AND asset = 'ETH'"),
        std::string{"3"});
    QCOMPARE(
        m_database->value("SELECT count(*) FROM payment_log l JOIN payment_events e USING "
                          "(event_no) WHERE e.event_id = 'r-1' AND l.kind = 'payment.refunded'"),
        std::string{"1"});
}

void TestRefunds::neverMoreThanItsDepositGave()
{
    deposit("d-2", 2, "5");
    deposit("d-2b", 2, "100"); // the account could pay more, the deposit did not give it
    QCOMPARE(endOf("d-2"), std::string{"confirmed"});

    for (const char* id : {"r-2a", "r-2b", "r-2c"}) {
        QCOMPARE(send(refund(id, 2, "2", "d-2")).word, std::string{"accepted"});
    }

    QCOMPARE(endOf("r-2a"), std::string{"confirmed"});
    QCOMPARE(endOf("r-2b"), std::string{"confirmed"});
    QCOMPARE(endOf("r-2c"), std::string{"failed refund_exceeds_original"});
    QCOMPARE(m_database->balance(2), std::string{"101"});
    QCOMPARE(m_database->value("SELECT count(*) FROM dead_letter_queue WHERE event_id = 'r-2c'"),
        std::string{"1"});
}

void TestRefunds::onlyFromTheAccountOfItsDeposit_data()
{
    QTest::addColumn<qint64>("user");
    QTest::addColumn<QByteArray>("asset");
    QTest::addColumn<QByteArray>("merchant");

    QTest::newRow("of another user") << qint64{4} << QByteArray{"ETH"} << QByteArray{"shop"};
    QTest::newRow("in another asset") << qint64{3} << QByteArray{"USDC"} << QByteArray{"shop"};
    QTest::newRow("by another merchant") << qint64{3} << QByteArray{"ETH"} << QByteArray{"stall"};
    QTest::newRow("by no merchant") << qint64{3} << QByteArray{"ETH"} << QByteArray{};
}

void TestRefunds::onlyFromTheAccountOfItsDeposit()
{
    QFETCH(qint64, user);
    QFETCH(QByteArray, asset);
    QFETCH(QByteArray, merchant);
    const std::string tag = QTest::currentDataTag();
    deposit("d-3 " + tag, 3, "5");
    QCOMPARE(endOf("d-3 " + tag), std::string{"confirmed"});
    const std::string before = m_database->balance(3);

    support::Payment payment{.eventId = "r-3 " + tag,
        .eventType = "refund",
        .userId = user,
        .amount = "1",
        .more = {{"original_event_id", "d-3 " + tag}, {"asset", asset.toStdString()}}};
    if (!merchant.isEmpty()) payment.more.emplace_back("merchant_id", merchant.toStdString());
    QCOMPARE(send(payment).word, std::string{"accepted"});

    QCOMPARE(endOf("r-3 " + tag), std::string{"failed original_missing"});
    QCOMPARE(m_database->balance(3), before);
}

void TestRefunds::waitsForADepositThatComesLater()
{
    QCOMPARE(send(refund("r-5", 5, "2", "d-5")).word, std::string{"accepted"});
    QVERIFY(support::waitUntil(
        [&] {
            return m_database->value("SELECT w.reason FROM event_waits w JOIN payment_events e "
                                     "USING (event_no) WHERE e.event_id = 'r-5'")
                == "original";
        },
        20s));
    // What waits for its original holds nobody back.
    deposit("other-5", 5, "1");
    QCOMPARE(endOf("other-5"), std::string{"confirmed"});

    deposit("d-5", 5, "5");

    QCOMPARE(endOf("r-5"), std::string{"confirmed"});
    QCOMPARE(m_database->balance(5), std::string{"4"});
}

void TestRefunds::needsItsOriginal()
{
    const auto answer = send({.eventId = "r-6", .eventType = "refund", .userId = 6});

    QCOMPARE(answer.status, 400);
    QCOMPARE(answer.word, std::string{"missing_field"});
}

void TestRefunds::anotherOriginalIsAConflict()
{
    deposit("d-7", 7, "5");
    QCOMPARE(send(refund("r-7", 7, "1", "d-7")).word, std::string{"accepted"});

    const auto answer = send(refund("r-7", 7, "1", "d-7b"));

    QCOMPARE(answer.status, 409);
    QCOMPARE(endOf("r-7"), std::string{"confirmed"});
}

void TestRefunds::cleanupTestCase()
{
    QCOMPARE(m_database->brokenSums(), std::string{"0"});
    QCOMPARE(m_database->value("SELECT count(*) FROM merchant_balances m WHERE balance <> (SELECT "
                               "sum(b.amount) FROM balance_events b JOIN payment_events e USING "
                               "(event_no) WHERE e.merchant_id = m.merchant_id AND "
                               "e.asset = m.asset)"),
        std::string{"0"});
}

} // namespace

QTEST_GUILESS_MAIN(TestRefunds)
#include "tst_refunds.moc"
