#include "tests/processor/ingest/intaking.h"
#include "tests/support/stack.h"
#include "tests/support/wait.h"

#include <QTest>

#include <barrier>
#include <memory>

using namespace std::chrono_literals;
using support::Payment;

// Signed requests over real HTTP into a real PostgreSQL: the answers, and what stands there then.
class TestIntake : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { m_stack = std::make_unique<support::TestStack>(); }
    void init()
    {
        m_database = std::make_unique<support::Database>(m_stack->createDatabase());
        m_database->addUsers(1, 100);
    }

    void anAcceptedEventIsThereWithAllItsRows()
    {
        Intaking intaking{options()};
        auto sender = intaking.sender();

        const auto answer = support::require(sender.send(
            {.eventId = "e-1", .userId = 70, .amount = "50.10", .more = {{"merchant_id", "m-1"}}},
            {{"X-Request-ID", "trace-1"}}));

        QCOMPARE(answer.status, 200);
        QCOMPARE(answer.word, "accepted");
        QCOMPARE(answer.traceId, "trace-1");
        QCOMPARE(m_database->table("SELECT event_id, event_type, source, user_id, asset, amount, "
                                   "merchant_id, trace_id, outcome FROM payment_events"),
            "(e-1,deposit,payments,70,ETH,50.100000000000000000,m-1,trace-1,)");
        QCOMPARE(m_database->table("SELECT q.user_id, q.lane, q.attempts FROM event_queue q "
                                   "JOIN payment_events USING (event_no)"),
            "(70,6,0)");
        QCOMPARE(m_database->table("SELECT verdict, source, remote, trace_id, "
                                   "convert_from(body, 'UTF8') = $$"
                     + support::bodyOf({.eventId = "e-1",
                         .userId = 70,
                         .amount = "50.10",
                         .more = {{"merchant_id", "m-1"}}})
                     + "$$, sha256(body) = body_sha256, headers ? 'x-request-id', headers ? "
                       "'x-alchemy-signature' FROM deliveries"),
            "(accepted,payments,127.0.0.1,trace-1,t,t,t,f)");
        QCOMPARE(m_database->table("SELECT no, kind, actor, payment_id, user_id, merchant_id, "
                                   "asset, amount, trace_id FROM payment_log"),
            "(1,payment.enqueued,test,e-1,70,m-1,ETH,50.100000000000000000,trace-1)");
        QCOMPARE(m_database->value("SELECT status FROM payment_status"), "enqueued");
        QVERIFY(intaking.wakes() >= 1);
    }

    void theSameAgainIsADuplicateAndKeptOnce()
    {
        Intaking intaking{options()};
        auto sender = intaking.sender();
        const Payment payment{.eventId = "e-1"};
        QCOMPARE(support::require(sender.send(payment)).word, "accepted");
        for (int i = 0; i < 3; ++i) {
            const auto answer = support::require(sender.send(payment));
            QCOMPARE(answer.status, 200);
            QCOMPARE(answer.word, "duplicate");
        }
        // Another spelling of the same says the same, and is a body of its own.
        QCOMPARE(
            support::require(sender.sendBody(support::bodyOf(payment) + " ")).word, "duplicate");
        QCOMPARE(count("payment_events"), 1);
        QCOMPARE(count("payment_log"), 1);
        QCOMPARE(m_database->table("SELECT verdict, count(*), count(body) FROM deliveries "
                                   "GROUP BY verdict ORDER BY verdict"),
            "(accepted,1,1)\n(duplicate,4,1)");
    }

    void theSameIdWithOtherContentIsAConflictEachTime()
    {
        Intaking intaking{options()};
        auto sender = intaking.sender();
        QCOMPARE(support::require(sender.send({.eventId = "e-1", .amount = "1"})).status, 200);
        for (int i = 0; i < 2; ++i) {
            const auto answer = support::require(sender.send({.eventId = "e-1", .amount = "2"}));
            QCOMPARE(answer.status, 409);
            QCOMPARE(answer.word, "conflict");
        }
        QVERIFY(
            support::waitUntil([&] { return intaking.hasAlert("event_conflict:payments"); }, 5s));
        QCOMPARE(m_database->value("SELECT amount FROM payment_events"), "1.000000000000000000");
        QCOMPARE(m_database->table("SELECT verdict, count(*), count(body) FROM deliveries "
                                   "GROUP BY verdict ORDER BY verdict"),
            "(accepted,1,1)\n(conflict,2,1)");
        // The original is still a duplicate.
        QCOMPARE(
            support::require(sender.send({.eventId = "e-1", .amount = "1"})).word, "duplicate");
    }

    void theSameIdWithAnotherTypeIsAnotherEvent()
    {
        Intaking intaking{options()};
        auto sender = intaking.sender();
        QCOMPARE(support::require(sender.send({.eventId = "e-1"})).word, "accepted");
        QCOMPARE(support::require(sender.send({.eventId = "e-1", .eventType = "withdrawal"})).word,
            "accepted");
    }

    void refusals_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("word");
        const auto row
            = [](const char* name, const Payment& payment, int status, const char* word) {
                  QTest::newRow(name) << QByteArray::fromStdString(support::bodyOf(payment))
                                      << status << QByteArray{word};
              };
        row("unknown user", {.eventId = "e", .userId = 999}, 400, "unknown_user");
        row("unknown asset", {.eventId = "e", .more = {{"asset", "XYZ"}}}, 400, "unknown_asset");
        row("unknown chain", {.eventId = "e", .more = {{"chain", "eip155:99"}}}, 400,
            "unknown_asset");
        row("bad amount", {.eventId = "e", .amount = "+1"}, 400, "invalid_amount");
        row("unknown type", {.eventId = "e", .eventType = "gift"}, 400, "unknown_event_type");
        QTest::newRow("no JSON") << QByteArray{"\xff\x00 nonsense", 11} << 400
                                 << QByteArray{"invalid_json"};
        QTest::newRow("nothing at all") << QByteArray{} << 400 << QByteArray{"invalid_json"};
    }
    void refusals()
    {
        QFETCH(QByteArray, body);
        QFETCH(int, status);
        QFETCH(QByteArray, word);
        Intaking intaking{options()};
        auto sender = intaking.sender();
        for (int i = 0; i < 3; ++i) {
            const auto answer = support::require(sender.sendBody(body.toStdString()));
            QCOMPARE(answer.status, status);
            QCOMPARE(QByteArray::fromStdString(answer.word), word);
            QVERIFY(!answer.detail.empty());
        }
        // Authentic, so none of it is lost: one row of the body, counted, and every delivery.
        QCOMPARE(m_database->table("SELECT reason, count, state, length(body) FROM quarantine"),
            "(" + word.toStdString() + ",3,open," + std::to_string(body.size()) + ")");
        QCOMPARE(m_database->table("SELECT verdict, count(*), count(event_no) FROM deliveries "
                                   "GROUP BY verdict"),
            "(quarantined,3,0)");
        QCOMPARE(count("payment_events"), 0);
        QCOMPARE(count("event_keys"), 0);
    }

    void aUserWhoAppearsIsFound()
    {
        Intaking intaking{options()};
        auto sender = intaking.sender();
        QCOMPARE(
            support::require(sender.send({.eventId = "e-1", .userId = 777})).word, "unknown_user");
        m_database->addUsers(777, 777);
        QCOMPARE(support::require(sender.send({.eventId = "e-1", .userId = 777})).word, "accepted");
    }

    void anAssetThatAppearsIsFound()
    {
        Intaking intaking{options()};
        auto sender = intaking.sender();
        const Payment payment{.eventId = "e-1", .more = {{"asset", "NEW"}}};
        QCOMPARE(support::require(sender.send(payment)).word, "unknown_asset");
        m_database->run("INSERT INTO assets VALUES ('NEW', 'eip155:5', NULL, 18)");
        QVERIFY(support::waitUntil(
            [&] { return support::require(sender.send(payment)).word == "accepted"; }, 10s));
    }

    void anAddressOfAnotherUserIsQuarantined()
    {
        m_database->run("INSERT INTO deposit_addresses VALUES ('eip155:1', '0xaa', 5)");
        Intaking intaking{options()};
        auto sender = intaking.sender();
        const auto at = [](const char* id, const char* address) {
            return Payment{.eventId = id, .userId = 6, .more = {{"to_address", address}}};
        };
        const auto foreign = support::require(sender.send(at("e-1", "0xAA")));
        QCOMPARE(foreign.status, 200);
        QCOMPARE(foreign.word, "quarantined");
        QCOMPARE(m_database->value("SELECT reason FROM quarantine"), "foreign_address");
        QCOMPARE(support::require(sender.send(at("e-2", "0xBB"))).word, "accepted");
        m_database->run("UPDATE deposit_addresses SET user_id = 6");
        QCOMPARE(support::require(sender.send(at("e-1", "0xaa"))).word, "accepted");
        QCOMPARE(m_database->value("SELECT to_address FROM payment_events WHERE event_id = 'e-1'"),
            "0xaa");
    }

    void aCreditOfATransactionWaitsForFinality()
    {
        Intaking intaking{options()};
        auto sender = intaking.sender();
        const auto answer = support::require(
            sender.sendBody(R"({"event_id":"e-1","event_type":"deposit","user_id":3,"amount":"1",)"
                            R"("tx_hash":"0xAB","tx_position":[-2,1]})"));
        QCOMPARE(answer.word, "accepted");
        QCOMPARE(m_database->table("SELECT user_id, lane, reason, chain, due_at FROM event_waits"),
            "(3,3,finality,eip155:1,infinity)");
        QCOMPARE(m_database->table("SELECT chain, tx_hash, tx_position FROM payment_events"),
            "(eip155:1,0xab,\"{-2,1}\")");
        QCOMPARE(count("event_queue"), 0);
        QCOMPARE(count("payment_log"), 0);
        QCOMPARE(m_database->value("SELECT status FROM payment_status"), "pending");
        QVERIFY(support::waitUntil(
            [&] { return intaking.hasAlert("chain_endpoint_missing:eip155:1"); }, 5s));
    }

    void aDebitOfATransactionDoesNotWait()
    {
        Intaking intaking{options()};
        auto sender = intaking.sender();
        QCOMPARE(support::require(sender.send({.eventId = "e-1",
                                      .eventType = "withdrawal",
                                      .more = {{"tx_hash", "0xab"}}}))
                     .word,
            "accepted");
        QCOMPARE(count("event_queue"), 1);
        QCOMPARE(count("event_waits"), 0);
    }

    void tenSendersOfOneEventMakeOneEvent()
    {
        Intaking intaking{options()};
        constexpr int kSenders = 10;
        std::barrier start{kSenders};
        std::atomic<int> accepted{0};
        std::atomic<int> duplicates{0};
        {
            std::vector<std::jthread> senders;
            for (int i = 0; i < kSenders; ++i) {
                senders.emplace_back([&] {
                    auto sender = intaking.sender();
                    start.arrive_and_wait();
                    const auto word = support::require(sender.send({.eventId = "e-1"})).word;
                    accepted += word == "accepted" ? 1 : 0;
                    duplicates += word == "duplicate" ? 1 : 0;
                });
            }
        }
        QCOMPARE(accepted.load(), 1);
        QCOMPARE(duplicates.load(), kSenders - 1);
        QCOMPARE(count("payment_events"), 1);
        QCOMPARE(count("deliveries"), kSenders);
    }

    void twoIntakesOfOneDatabaseAgree()
    {
        Intaking one{options()};
        Intaking other{options()};
        constexpr int kEvents = 200;
        std::atomic<int> accepted{0};
        const auto sendAll = [&](Intaking& intaking, bool backwards) {
            auto sender = intaking.sender();
            for (int i = 0; i < kEvents; ++i) {
                const int n = backwards ? kEvents - 1 - i : i;
                const auto answer = support::require(
                    sender.send({.eventId = "e-" + std::to_string(n), .userId = n % 100 + 1}));
                QCOMPARE(answer.status, 200);
                accepted += answer.word == "accepted" ? 1 : 0;
            }
        };
        {
            std::vector<std::jthread> senders;
            for (int i = 0; i < 2; ++i) {
                senders.emplace_back([&, i] { sendAll(one, i == 0); });
                senders.emplace_back([&, i] { sendAll(other, i == 0); });
            }
        }
        QCOMPARE(accepted.load(), kEvents);
        QCOMPARE(count("payment_events"), kEvents);
        QCOMPARE(count("event_queue"), kEvents);
        QCOMPARE(count("deliveries"), 4 * kEvents);
        QCOMPARE(m_database->value("SELECT max(no) - count(*) FROM payment_log"), "0");
    }

    void numbersFollowTheOrderOfArrival()
    {
        Intaking intaking{options()};
        const auto words = intaking.sendTogether("e-", 300);
        QCOMPARE(std::ranges::count(words, "accepted"), 300);
        QCOMPARE(m_database->value(
                     "SELECT count(*) FROM (SELECT substr(event_id, 3)::int AS n, "
                     "row_number() OVER (ORDER BY event_no) - 1 AS place FROM payment_events) AS x "
                     "WHERE n <> place"),
            "0");
    }

    void countsWhatBecameOfRequests()
    {
        Intaking intaking{options()};
        auto sender = intaking.sender();
        (void)support::require(sender.send({.eventId = "e-1"}));
        (void)support::require(sender.send({.eventId = "e-1"}));
        (void)support::require(sender.send({.eventId = "e-1", .amount = "7"}));
        (void)support::require(sender.sendUnsigned("{}"));
        const std::string metrics = intaking.metrics();
        for (const char* line : {"countersign_intake_total{result=\"accepted\"} 1",
                 "countersign_intake_total{result=\"duplicate\"} 1",
                 "countersign_intake_total{result=\"conflict\"} 1",
                 "countersign_intake_total{result=\"invalid_signature\"} 1",
                 "countersign_intake_commit_seconds_count",
                 "countersign_intake_gathering_size_count", "countersign_intake_queue_depth"}) {
            QVERIFY2(metrics.find(line) != std::string::npos, line);
        }
    }

private:
    [[nodiscard]] IntakingOptions options() const { return {.databaseUrl = m_database->url()}; }
    [[nodiscard]] int count(const std::string& table)
    {
        return std::stoi(m_database->value("SELECT count(*) FROM " + table));
    }

    std::unique_ptr<support::TestStack> m_stack;
    std::unique_ptr<support::Database> m_database;
};

QTEST_GUILESS_MAIN(TestIntake)
#include "tst_intake.moc"
