#include "processor/crypto/sha256.h"
#include "processor/ingest/committer.h"
#include "tests/processor/ingest/intaking.h"
#include "tests/support/fault_proxy.h"
#include "tests/support/stack.h"
#include "tests/support/temp_folder.h"
#include "tests/support/wait.h"

#include <QTest>

#include <map>
#include <memory>

using namespace std::chrono_literals;
using support::FaultProxy;
using support::Payment;

// What intake answers when its database is away, late, silent at the wrong moment or unwilling.
class TestIntakeFailures : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { m_stack = std::make_unique<support::TestStack>(); }
    void init()
    {
        m_database = std::make_unique<support::Database>(m_stack->createDatabase());
        m_database->addUsers(1, 100);
    }

    void withoutDatabaseItSays503AndComesBack()
    {
        Intaking intaking{{.databaseUrl = m_database->url()}};
        auto sender = intaking.sender();
        QCOMPARE(support::require(sender.send({.eventId = "e-1"})).word, "accepted");

        m_stack->stores().hold(embedded::Store::Postgres);
        const auto away = support::require(sender.send({.eventId = "e-2"}));
        QCOMPARE(away.status, 503);
        QCOMPARE(away.word, "unavailable");
        QVERIFY(!away.retryAfter.empty());
        // The next ones do not wait as long: the line behind them would only grow.
        QElapsedTimer timer;
        timer.start();
        QCOMPARE(support::require(sender.send({.eventId = "e-3"})).status, 503);
        QVERIFY(timer.elapsed() < 2'000);

        support::require(m_stack->stores().release(embedded::Store::Postgres));
        QVERIFY(support::waitUntil(
            [&] { return support::require(sender.send({.eventId = "e-2"})).status == 200; }, 10s));
        init(); // the old database's connection ended with the server
    }

    void aShortOutageIsNotNoticed()
    {
        Intaking intaking{{.databaseUrl = m_database->url()}};
        auto sender = intaking.sender();
        QCOMPARE(support::require(sender.send({.eventId = "e-1"})).word, "accepted");
        m_stack->stores().hold(embedded::Store::Postgres);
        std::jthread repair{
            [&] { support::require(m_stack->stores().release(embedded::Store::Postgres)); }};
        QCOMPARE(support::require(sender.send({.eventId = "e-2"})).word, "accepted");
        repair.join();
        init();
    }

    void aCommitWhoseAnswerIsLostIsLookedUp()
    {
        Line line{*m_database};
        Intaking intaking{{.databaseUrl = line.url()}};
        auto sender = intaking.sender();
        QCOMPARE(support::require(sender.send({.eventId = "e-1"})).word, "accepted");

        line.proxy.arm(FaultProxy::Fault::CutAfterAnswer, "transaction_commit");
        std::jthread repair{[&] {
            QVERIFY(support::waitUntil([&] { return line.proxy.hasStruck(); }, 10s));
            // Only now the answer has been lost for certain.
            QVERIFY(support::waitUntil(
                [&] {
                    support::Database watcher{m_database->url()};
                    return watcher.value("SELECT count(*) FROM payment_events") == "2";
                },
                10s));
            line.proxy.arm(FaultProxy::Fault::None);
        }};
        const auto answer = support::require(sender.send({.eventId = "e-2"}));
        repair.join();

        // It was ours: accepted, not a duplicate, and nothing stands there twice.
        QCOMPARE(answer.status, 200);
        QCOMPARE(answer.word, "accepted");
        QCOMPARE(m_database->table("SELECT event_id, count(*) FROM payment_events GROUP BY 1 "
                                   "ORDER BY 1"),
            "(e-1,1)\n(e-2,1)");
        QCOMPARE(m_database->table("SELECT verdict, count(*) FROM deliveries GROUP BY 1"),
            "(accepted,2)");
        QCOMPARE(m_database->value("SELECT count(*) FROM payment_log"), "2");
    }

    void whatWasRefusedInALostCommitStaysRefused()
    {
        Line line{*m_database};
        const ingest::Source source{.name = "payments"};
        const auto answers = std::make_shared<Answers>();
        const auto deliveryOf = [&](const std::string& eventId, std::int64_t user) {
            ingest::Claimed claimed;
            claimed.eventId = eventId;
            claimed.user = domain::UserId{user};
            claimed.amount = *domain::Amount::parseEvent("1");
            return ingest::Delivery{.source = &source,
                .content = claimed,
                .body = eventId,
                .bodySha256 = crypto::sha256(eventId),
                .headers = {},
                .traceId = "t",
                .remote = {},
                .responder = http::Responder{answers, 1, static_cast<std::uint64_t>(user)}};
        };
        store::PaymentLog log{"test"};
        base::Alerter alerter;
        base::Metrics metrics;
        ingest::Counters counters{metrics};
        ingest::Committer committer{
            {.database = {.url = line.url(), .user = "countersign_processor"}}, log, alerter,
            counters};

        line.proxy.arm(FaultProxy::Fault::CutAfterAnswer, "transaction_commit");
        std::jthread repair{[&] {
            support::Database watcher{m_database->url()};
            QVERIFY(support::waitUntil(
                [&] { return watcher.value("SELECT count(*) FROM payment_events") == "1"; }, 10s));
            // While the gathering is tried again, the user becomes known.
            watcher.addUsers(500, 500);
            line.proxy.arm(FaultProxy::Fault::None);
        }};
        std::vector<ingest::Delivery> gathering;
        gathering.push_back(deliveryOf("e-1", 1));
        gathering.push_back(deliveryOf("e-2", 500));
        committer.commit(std::move(gathering), {}, {});
        repair.join();
        QCOMPARE(answers->statusOf(1), 200U);
        QCOMPARE(answers->statusOf(500), 400U);
        // A key without an event would call its sender's retry a duplicate of nothing.
        QCOMPARE(m_database->value("SELECT count(*) FROM event_keys"), "1");

        gathering.clear();
        gathering.push_back(deliveryOf("e-2", 500));
        committer.commit(std::move(gathering), {}, {});
        QCOMPARE(answers->statusOf(500), 200U);
        QCOMPARE(
            m_database->table("SELECT event_id FROM payment_events ORDER BY 1"), "(e-1)\n(e-2)");
    }

    void aCommitThatNeverArrivedIsMadeAgain()
    {
        Line line{*m_database};
        Intaking intaking{{.databaseUrl = line.url()}};
        auto sender = intaking.sender();
        QCOMPARE(support::require(sender.send({.eventId = "e-1"})).word, "accepted");
        line.proxy.arm(FaultProxy::Fault::CutBefore, "transaction_commit");
        std::jthread repair{[&] {
            QVERIFY(support::waitUntil([&] { return line.proxy.hasStruck(); }, 10s));
            line.proxy.arm(FaultProxy::Fault::None);
        }};
        QCOMPARE(support::require(sender.send({.eventId = "e-2"})).word, "accepted");
        repair.join();
        QCOMPARE(m_database->table("SELECT verdict, count(*) FROM deliveries GROUP BY 1"),
            "(accepted,2)");
        QCOMPARE(m_database->value("SELECT max(no) - count(*) FROM payment_log"), "0");
    }

    void aCommitThatStaysUnknownIs503AndTheRetryADuplicate()
    {
        Line line{*m_database};
        Intaking intaking{{.databaseUrl = line.url()}};
        auto sender = intaking.sender();
        QCOMPARE(support::require(sender.send({.eventId = "e-1"})).word, "accepted");
        line.proxy.arm(FaultProxy::Fault::CutAfterAnswer, "transaction_commit");
        const auto answer = support::require(sender.send({.eventId = "e-2"}));
        QCOMPARE(answer.status, 503);
        line.proxy.arm(FaultProxy::Fault::None);
        QVERIFY(support::waitUntil(
            [&] { return support::require(sender.send({.eventId = "e-2"})).word == "duplicate"; },
            10s));
        QCOMPARE(m_database->value("SELECT count(*) FROM payment_events"), "2");
    }

    void aLockIsWaitedFor()
    {
        Intaking intaking{{.databaseUrl = m_database->url()}};
        auto sender = intaking.sender();
        QCOMPARE(support::require(sender.send({.eventId = "e-1"})).word, "accepted");
        auto other = m_database->connect();
        support::require(other.runScript("BEGIN; LOCK TABLE event_keys"));
        std::jthread release{[&] {
            QVERIFY(support::waitUntil(
                [&] {
                    return m_database->value("SELECT count(*) FROM pg_locks WHERE NOT granted")
                        != "0";
                },
                10s));
            support::require(other.runScript("COMMIT"));
        }};
        QCOMPARE(support::require(sender.send({.eventId = "e-2"})).word, "accepted");
    }

    void aPersonWhoDiscardsABodyHoldsNobodyUp()
    {
        Intaking intaking{{.databaseUrl = m_database->url()}};
        auto sender = intaking.sender();
        QCOMPARE(support::require(sender.sendBody("{")).word, "invalid_json");
        auto person = m_database->connect("operator");
        support::require(person.runScript(
            "BEGIN; SELECT discard_quarantine(ARRAY(SELECT id FROM quarantine), 'not ours')"));

        // Answered at the first try: nothing of the next statement's patience is used up.
        QCOMPARE(support::require(sender.sendBody("{")).word, "invalid_json");
        QCOMPARE(support::require(sender.send({.eventId = "e-1"})).word, "accepted");
        QCOMPARE(m_database->value("SELECT count(*) FROM pg_stat_activity WHERE pid ="
                                   " ANY (SELECT pid FROM pg_locks WHERE NOT granted)"),
            "0");
        QCOMPARE(m_database->table("SELECT count, state FROM quarantine"), "(1,open)");
        support::require(person.runScript("COMMIT"));

        QCOMPARE(support::require(sender.sendBody("{")).word, "invalid_json");
        QCOMPARE(m_database->table("SELECT count, state FROM quarantine"), "(2,discarded)");
        QCOMPARE(m_database->value("SELECT count(*) FROM deliveries WHERE verdict = 'quarantined'"),
            "3");
    }

    void oneRowThatCannotBeTakenDoesNotTakeTheOthersWithIt()
    {
        // Stands for whatever we do not foresee: a value that PostgreSQL refuses.
        m_database->run("CREATE FUNCTION refuse_one() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
                        "RAISE EXCEPTION 'not this one' USING ERRCODE = '22023'; END $$;"
                        "CREATE TRIGGER refuse_one BEFORE INSERT ON payment_events FOR EACH ROW "
                        "WHEN (NEW.event_id = 'e-13') EXECUTE FUNCTION refuse_one()");
        Intaking intaking{{.databaseUrl = m_database->url()}};
        const auto words = intaking.sendTogether("e-", 40);
        QCOMPARE(std::ranges::count(words, "accepted"), 39);
        QCOMPARE(words.at(13), "quarantined");
        QCOMPARE(m_database->value("SELECT count(*) FROM payment_events"), "39");
        QCOMPARE(m_database->table("SELECT reason, count FROM quarantine"), "(data_error,1)");
        QVERIFY(support::waitUntil([&] { return intaking.hasAlert("intake_data_error"); }, 5s));
        // A key without an event would call its sender's retry a duplicate of nothing.
        QCOMPARE(m_database->value("SELECT count(*) FROM event_keys"), "39");
    }

    void aFaultOfOursIs503AndNothingIsQuarantined()
    {
        m_database->run("DROP TABLE payment_events_p000000, payment_events_p000001, "
                        "payment_events_p000002");
        Intaking intaking{{.databaseUrl = m_database->url()}};
        auto sender = intaking.sender();
        QCOMPARE(support::require(sender.send({.eventId = "e-1"})).status, 503);
        QVERIFY(support::waitUntil([&] { return intaking.hasAlert("intake_broken"); }, 5s));
        QCOMPARE(m_database->value("SELECT count(*) FROM quarantine"), "0");
        m_database->run("SELECT make_partitions()");
        QCOMPARE(support::require(sender.send({.eventId = "e-1"})).word, "accepted");
    }

    void aSequenceThatWentBackConvictsNobody()
    {
        Intaking intaking{{.databaseUrl = m_database->url()}};
        auto sender = intaking.sender();
        QCOMPARE(support::require(sender.send({.eventId = "e-1"})).word, "accepted");
        m_database->run("SELECT setval('event_no_seq', 1, false)");
        QCOMPARE(support::require(sender.send({.eventId = "e-2"})).status, 503);
        QVERIFY(support::waitUntil([&] { return intaking.hasAlert("intake_broken"); }, 5s));
        QCOMPARE(m_database->value("SELECT count(*) FROM quarantine"), "0");
        QCOMPARE(support::require(sender.send({.eventId = "e-2"})).word, "accepted");
    }

    void stoppingWritesWhatWaits()
    {
        auto intaking
            = std::make_unique<Intaking>(IntakingOptions{.databaseUrl = m_database->url()});
        auto locker = m_database->connect();
        support::require(locker.runScript("BEGIN; LOCK TABLE event_keys"));
        std::vector<std::jthread> senders;
        std::atomic<int> accepted{0};
        const auto send = [&](int number) {
            senders.emplace_back([&accepted, number, sender = intaking->sender()]() mutable {
                const auto answer = sender.send({.eventId = "e-" + std::to_string(number)});
                accepted += answer && answer->word == "accepted" ? 1 : 0;
            });
        };
        send(0);
        QVERIFY(support::waitUntil(
            [&] {
                return m_database->value("SELECT count(*) FROM pg_locks WHERE NOT granted") != "0";
            },
            10s));
        for (int i = 1; i < 5; ++i) send(i);
        QVERIFY(support::waitUntil([&] { return intaking->intake().depth() == 4; }, 10s));
        std::jthread ending{[&] { intaking.reset(); }};
        support::require(locker.runScript("COMMIT"));
        senders.clear();
        ending.join();
        QCOMPARE(accepted.load(), 5);
    }

private:
    // The last answer's status of each slot.
    class Answers : public http::Outbox
    {
    public:
        void answer(
            std::uint64_t, std::uint64_t slot, std::optional<http::Response> response) override
        {
            m_statuses[slot] = response ? static_cast<unsigned>(response->status) : 0U;
        }
        [[nodiscard]] unsigned statusOf(std::uint64_t slot) const { return m_statuses.at(slot); }

    private:
        std::map<std::uint64_t, unsigned> m_statuses;
    };

    // The way to the database through a proxy.
    struct Line
    {
        explicit Line(support::Database& database)
            : name{database.value("SELECT current_database()")}
            , proxy{folder.file(".s.PGSQL.5432"),
                  database.value("SELECT current_setting('unix_socket_directories')")
                      + "/.s.PGSQL.5432"}
        {}
        [[nodiscard]] std::string url() const
        {
            return "postgresql://postgres@/" + name + "?host=" + folder.path();
        }

        support::TempFolder folder;
        std::string name;
        FaultProxy proxy;
    };

    std::unique_ptr<support::TestStack> m_stack;
    std::unique_ptr<support::Database> m_database;
};

QTEST_GUILESS_MAIN(TestIntakeFailures)
#include "tst_intake_failures.moc"
