#include "tests/support/json_text.h"
#include "tests/support/require.h"
#include "tests/support/stack.h"
#include "tests/support/webhook.h"

#include <QTest>

namespace {

class TestSupport : public QObject
{
    Q_OBJECT

private slots:
    void everyDatabaseIsMigratedAndItsOwn()
    {
        support::TestStack stack;
        auto one = stack.createDatabase();
        auto other = stack.createDatabase();

        one.addUsers(1, 3);
        one.addBalance(2, "ETH", "1.50");

        QCOMPARE(one.value("SELECT count(*) FROM users"), std::string{"3"});
        QCOMPARE(one.balance(2), std::string{"1.5"});
        QCOMPARE(one.balance(3), std::string{"0"});
        QCOMPARE(one.brokenSums(), std::string{"0"});
        QCOMPARE(one.table("SELECT id, external_ref FROM users ORDER BY id"),
            std::string{"(1,)\n(2,)\n(3,)"});
        QCOMPARE(other.value("SELECT count(*) FROM users"), std::string{"0"});
        QCOMPARE(other.value("SELECT decimals FROM assets WHERE asset = 'USDC'"), std::string{"6"});
        QVERIFY(other.connect("countersign_processor").isOpen());

        auto redis = stack.connectRedis();
        support::require(redis.run({"SET", "key", "value"}));
        auto again = stack.connectRedis(true);
        QCOMPARE(support::require(again.run({"DBSIZE"})).integer, std::int64_t{0});
        QCOMPARE(stack.secret().size(), std::size_t{64});
    }

    void membersAreReadFromFlatJson()
    {
        const std::string json = "{\"a\":\"x\\\"y\", \"n\" : 12,\"b\":true,\"last\":\"z\"}";
        QCOMPARE(support::textMember(json, "a"), std::string{"x\"y"});
        QCOMPARE(support::textMember(json, "last"), std::string{"z"});
        QCOMPARE(support::textMember(json, "n"), std::string{});
        QCOMPARE(support::bareMember(json, "n"), std::string{"12"});
        QCOMPARE(support::bareMember(json, "b"), std::string{"true"});
        QCOMPARE(support::bareMember(json, "none"), std::string{});
    }

    void aPaymentBecomesASignedNativeBody()
    {
        const auto body = support::bodyOf(
            {.eventId = "e-1", .userId = 7, .amount = "50.10", .more = {{"asset", "USDC"}}});
        QCOMPARE(body,
            std::string{"{\"event_id\":\"e-1\",\"event_type\":\"deposit\",\"user_id\":7,"
                        "\"amount\":\"50.10\",\"asset\":\"USDC\"}"});
        // openssl dgst -sha256 -hmac <32 times the letter k>
        const support::WebhookSender sender{"localhost:1", base::Secret{std::string(32, 'k')}};
        QCOMPARE(sender.signatureOf("{}"),
            std::string{"3ee8b232b00d38a65125697b8ca96902d432dd558eb14939ffda0723647e7f81"});
    }
};

} // namespace

QTEST_APPLESS_MAIN(TestSupport)
#include "tst_support.moc"
