#include "processor/base/limits.h"
#include "processor/ingest/front.h"
#include "tests/processor/ingest/intaking.h"
#include "tests/support/stack.h"
#include "tests/support/wait.h"

#include <QTest>

#include <memory>

using namespace std::chrono_literals;

namespace {

constexpr auto kFirst = "0123456789abcdef0123456789abcdef";
constexpr auto kSecond = "fedcba9876543210fedcba9876543210";

// Where answers of requests without a server go.
class Answers : public http::Outbox
{
public:
    void answer(std::uint64_t, std::uint64_t, std::optional<http::Response> response) override
    {
        all.push_back(response ? response->status : 0);
    }
    std::vector<int> all;
};

} // namespace

// Who is let in: signatures, rate limits, and lines that are full.
class TestIntakeLimits : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { m_stack = std::make_unique<support::TestStack>(); }
    void init()
    {
        (void)m_stack->connectRedis(true);
        m_database = std::make_unique<support::Database>(m_stack->createDatabase());
        m_database->addUsers(1, 100);
    }

    void signatures_data()
    {
        QTest::addColumn<QStringList>("signatures");
        QTest::addColumn<int>("status");
        const auto body = bodyText();
        const auto sign = [&](const char* secret) {
            return QString::fromStdString(
                support::WebhookSender{"127.0.0.1:1", base::Secret{secret}}.signatureOf(body));
        };
        const QString right = sign(kFirst);
        QTest::newRow("the first secret") << QStringList{right} << 200;
        QTest::newRow("the other active secret") << QStringList{sign(kSecond)} << 200;
        QTest::newRow("upper case") << QStringList{right.toUpper()} << 200;
        QTest::newRow("none") << QStringList{} << 401;
        QTest::newRow("empty") << QStringList{QString{}} << 401;
        QTest::newRow("another secret")
            << QStringList{sign("00000000000000000000000000000000")} << 401;
        QTest::newRow("one digit short") << QStringList{right.chopped(1)} << 401;
        QTest::newRow("one digit long") << QStringList{right + "0"} << 401;
        QTest::newRow("one digit wrong")
            << QStringList{right.chopped(1) + (right.endsWith('0') ? "1" : "0")} << 401;
        QTest::newRow("a prefix") << QStringList{"sha256=" + right} << 401;
        QTest::newRow("no digits") << QStringList{QString(64, 'z')} << 401;
        QTest::newRow("right and wrong") << QStringList{right, QString(64, '0')} << 401;
        QTest::newRow("right twice") << QStringList{right, right} << 401;
    }
    void signatures()
    {
        QFETCH(QStringList, signatures);
        QFETCH(int, status);
        Intaking intaking{{.databaseUrl = m_database->url(), .secrets = {kFirst, kSecond}}};
        auto sender = intaking.sender();
        support::HttpHeaders headers;
        for (const auto& one : signatures) {
            headers.emplace_back("X-Alchemy-Signature", one.toStdString());
        }
        const auto answer = support::require(sender.sendUnsigned(bodyText(), headers));
        QCOMPARE(answer.status, status);
        QCOMPARE(answer.word, status == 200 ? "accepted" : "invalid_signature");
    }

    void theBytesAreSignedNotTheirMeaning()
    {
        Intaking intaking{{.databaseUrl = m_database->url()}};
        auto sender = intaking.sender();
        const auto signature = sender.signatureOf(bodyText());
        QCOMPARE(support::require(
                     sender.sendUnsigned(bodyText() + " ", {{"X-Alchemy-Signature", signature}}))
                     .status,
            401);
    }

    void refusedSignaturesLeaveASampleAndNothingElse()
    {
        Intaking intaking{{.databaseUrl = m_database->url()}};
        auto sender = intaking.sender();
        for (std::size_t i = 0; i < 3 * base::kRefusedSamplesMax; ++i) {
            QCOMPARE(support::require(sender.sendUnsigned("forged")).status, 401);
        }
        // One more minute may begin in between, and bring its own samples.
        QVERIFY(support::waitUntil(
            [&] {
                return std::stoul(m_database->value(
                           "SELECT count(*) FROM deliveries WHERE verdict = 'refused' "
                           "AND body IS NOT NULL"))
                    >= base::kRefusedSamplesMax;
            },
            10s));
        const auto kept = std::stoul(m_database->value(
            "SELECT count(*) FROM deliveries WHERE verdict = 'refused' AND body IS NOT NULL"));
        QVERIFY(kept <= 2 * base::kRefusedSamplesMax);
        QCOMPARE(m_database->value("SELECT count(*) FROM quarantine"), "0");
        QCOMPARE(m_database->value("SELECT count(*) FROM payment_events"), "0");
    }

    void unknownSourcesAreNotFound()
    {
        Intaking intaking{{.databaseUrl = m_database->url()}};
        auto sender = intaking.sender("nobody");
        const auto answer = support::require(sender.send({.eventId = "e-1"}));
        QCOMPARE(answer.status, 404);
        QCOMPARE(answer.word, "unknown_source");
        support::HttpClient client{intaking.address()};
        QCOMPARE(support::require(client.get("/webhook/payments")).status, 405);
        QCOMPARE(support::require(client.get("/")).status, 404);
    }

    void the31stRequestOfASecondIsRefused()
    {
        Intaking intaking{
            {.databaseUrl = m_database->url(), .redisUrl = m_stack->redisUrl(), .limits = {}}};
        const auto words = intaking.sendTogether("e-", 31);
        for (std::size_t i = 0; i < 30; ++i) QCOMPARE(words[i], "accepted");
        QCOMPARE(words[30], "rate_limited");
        auto sender = intaking.sender();
        // A moment later it is welcome again.
        QVERIFY(support::waitUntil(
            [&] { return support::require(sender.send({.eventId = "e-30"})).status == 200; }, 5s));
    }

    void twoProcessesShareTheLimit()
    {
        const IntakingOptions options{
            .databaseUrl = m_database->url(), .redisUrl = m_stack->redisUrl(), .limits = {}};
        Intaking one{options};
        Intaking other{options};
        const auto first = one.sendTogether("a-", 16);
        const auto second = other.sendTogether("b-", 15);
        QCOMPARE(std::ranges::count(first, "rate_limited"), 0);
        QCOMPARE(std::ranges::count(second, "rate_limited"), 1);
        QCOMPARE(second.back(), "rate_limited");
    }

    void aRefusalSaysWhenToComeBack()
    {
        Intaking intaking{{.databaseUrl = m_database->url(),
            .redisUrl = m_stack->redisUrl(),
            .limits = {.perSecond = 1, .perMinute = 2}}};
        QCOMPARE(intaking.sendTogether("e-", 2).back(), "rate_limited");
        auto sender = intaking.sender();
        QVERIFY(support::waitUntil(
            [&] { return support::require(sender.send({.eventId = "f"})).status == 200; }, 5s));
        const auto answer = support::require(sender.send({.eventId = "g"}));
        QCOMPARE(answer.status, 429);
        QVERIFY(std::stoi(answer.retryAfter) > 50 && std::stoi(answer.retryAfter) <= 60);
    }

    void theLimitComesBeforeTheSignature()
    {
        Intaking intaking{{.databaseUrl = m_database->url(),
            .redisUrl = m_stack->redisUrl(),
            .limits = {.perSecond = 0, .perMinute = 3}}};
        auto sender = intaking.sender();
        for (int i = 0; i < 3; ++i) {
            QCOMPARE(support::require(sender.sendUnsigned("forged")).status, 401);
        }
        QCOMPARE(support::require(sender.sendUnsigned("forged")).status, 429);
        QCOMPARE(support::require(sender.send({.eventId = "e-1"})).status, 429);
    }

    void withoutRedisTheLimitHolds()
    {
        Intaking intaking{
            {.databaseUrl = m_database->url(), .limits = {.perSecond = 0, .perMinute = 3}}};
        auto sender = intaking.sender();
        for (int i = 0; i < 3; ++i) {
            QCOMPARE(support::require(sender.send({.eventId = std::to_string(i)})).status, 200);
        }
        QCOMPARE(support::require(sender.send({.eventId = "e"})).status, 429);
    }

    void aFullLineIsToldAtOnce()
    {
        base::Metrics metrics;
        ingest::Counters counters{metrics};
        ingest::RefusedSamples samples;
        ingest::WaitingLine<ingest::Delivery> line{2, 1'000'000};
        std::vector<ingest::Source> sources{
            {.name = "payments", .secrets = {base::Secret{kFirst}}}};
        ingest::Front front{sources, line, samples, counters};
        const auto answers = std::make_shared<Answers>();
        const support::WebhookSender signer{"127.0.0.1:1", base::Secret{kFirst}};
        for (std::uint64_t i = 0; i < 3; ++i) {
            http::Request request;
            request.body = bodyText();
            request.headers = {{"X-Alchemy-Signature", signer.signatureOf(request.body)}};
            request.traceId = "t";
            front.admit(sources.front(), std::move(request), http::Responder{answers, 1, i});
        }
        QVERIFY((answers->all == std::vector{503}));
        QCOMPARE(line.depth(), std::size_t{2});
    }

private:
    static std::string bodyText() { return support::bodyOf({.eventId = "e-1"}); }

    std::unique_ptr<support::TestStack> m_stack;
    std::unique_ptr<support::Database> m_database;
};

QTEST_GUILESS_MAIN(TestIntakeLimits)
#include "tst_intake_limits.moc"
