// How other payment systems failed in public, tried on ours; tests/README.md says which is which.

#include "tests/support/require.h"
#include "tests/support/wait.h"
#include "tests/torture/arena.h"
#include "tests/torture/books.h"
#include "tests/torture/crowd.h"

#include <QTest>
#include <chrono>
#include <memory>

using namespace std::chrono_literals;

namespace {

constexpr std::int64_t kUsers = 50;

class TestKnownFailures : public QObject
{
    Q_OBJECT

private slots:
    void anEndedEventMayBeDeliveredForEver();
    void anIdIsKnownAcrossPartitions();
    void restartsOneAfterAnotherStrandNothing();
    void neitherIntakeNorMoneyWaitsForTheOther();
    void paymentsBackAndForthNeitherLockNorLack();

private:
    support::WebhookAnswer deliver(const support::Daemon& daemon, const support::Payment& payment);
    void check(support::Database& database, const torture::BooksPlan& plan = {});

    torture::Arena m_arena;
};

support::WebhookAnswer TestKnownFailures::deliver(
    const support::Daemon& daemon, const support::Payment& payment)
{
    support::WebhookSender sender{daemon.http(), m_arena.secret()};
    return support::require(sender.send(payment));
}

void TestKnownFailures::check(support::Database& database, const torture::BooksPlan& plan)
{
    const auto wrong = torture::complaints(database, plan);
    QVERIFY2(wrong.empty(), wrong.c_str());
}

// A "settled" callback that loops while late payments keep arriving.
void TestKnownFailures::anEndedEventMayBeDeliveredForEver()
{
    auto database = m_arena.createDatabase(kUsers);
    const auto daemon = m_arena.serve(database);
    const support::Payment deposit{.eventId = "once", .amount = "5"};
    const support::Payment refused{.eventId = "too-much", .eventType = "withdrawal", .amount = "9"};
    QCOMPARE(deliver(*daemon, deposit).word, std::string{"accepted"});
    QCOMPARE(deliver(*daemon, refused).word, std::string{"accepted"});
    const std::string refusedHere = "e.event_id = 'too-much'";
    QVERIFY(torture::waitEnded(database, 30s));
    const char* state = "SELECT concat((SELECT string_agg(e::text, ' ' ORDER BY event_no) FROM"
                        " payment_events e), (SELECT string_agg(n::text, ' ' ORDER BY id) FROM"
                        " notifications n), (SELECT count(*) FROM payment_log), (SELECT"
                        " string_agg(b::text, ' ') FROM balances b))";
    const auto before = database.value(state);

    for (int time = 0; time < 100; ++time) {
        QCOMPARE(deliver(*daemon, deposit).word, std::string{"duplicate"});
        QCOMPARE(deliver(*daemon, refused).word, std::string{"duplicate"});
    }

    QVERIFY(torture::waitEnded(database, 30s));
    QCOMPARE(database.value(state), before);
    check(database, {.excused = refusedHere, .redisUrl = m_arena.stack().redisUrl()});
}

// A unique key that has to contain the partition's lets a repeat through in the next partition.
void TestKnownFailures::anIdIsKnownAcrossPartitions()
{
    auto database = m_arena.createDatabase(kUsers);
    const auto daemon = m_arena.serve(database);
    database.run("SELECT setval('event_no_seq', (SELECT width - 2 FROM partitioned_tables"
                 " WHERE name = 'payment_events'))");
    const support::Payment first{.eventId = "first", .amount = "5"};
    QCOMPARE(deliver(*daemon, first).word, std::string{"accepted"});
    for (int i = 0; i < 5; ++i) {
        QCOMPARE(deliver(*daemon, {.eventId = "more-" + std::to_string(i)}).word,
            std::string{"accepted"});
    }
    QCOMPARE(
        database.value("SELECT count(DISTINCT tableoid) FROM payment_events"), std::string{"2"});

    QCOMPARE(deliver(*daemon, first).word, std::string{"duplicate"});
    QVERIFY(torture::waitEnded(database, 30s));
    QCOMPARE(database.balance(1), std::string{"10"});
    check(database);
}

// Rolling restarts that strand work until an hourly check.
void TestKnownFailures::restartsOneAfterAnotherStrandNothing()
{
    auto database = m_arena.createDatabase(kUsers);
    std::vector<std::unique_ptr<support::Daemon>> daemons(3);
    for (auto& daemon : daemons) daemon = m_arena.serve(database);
    torture::Crowd crowd{m_arena.secret(), 6, torture::pairsOf(kUsers)};
    const auto aim = [&](const support::Daemon* without) {
        std::vector<std::string> addresses;
        for (const auto& daemon : daemons) {
            if (daemon.get() != without) addresses.push_back(daemon->http());
        }
        crowd.aim(addresses);
    };
    aim(nullptr);

    for (auto& daemon : daemons) {
        const auto target = crowd.finishedTurns() + 50;
        QVERIFY(support::waitUntil([&] { return crowd.finishedTurns() >= target; }, 60s));
        aim(daemon.get());
        QCOMPARE(daemon->process().terminate(), std::optional<int>{0});
        daemon = m_arena.serve(database);
        aim(nullptr);
    }
    crowd.stop();

    QVERIFY(torture::waitEnded(database, 10s));
    QCOMPARE(database.value("SELECT count(*) FROM payment_events WHERE outcome = 'failed'"),
        std::string{"0"});
    check(database, {.promised = crowd.promised(), .redisUrl = m_arena.stack().redisUrl()});
}

// FOR UPDATE on a parent row fights the foreign-key lock of a child that is being inserted.
void TestKnownFailures::neitherIntakeNorMoneyWaitsForTheOther()
{
    auto database = m_arena.createDatabase(kUsers);
    database.addBalance(1, "ETH", "10");
    const auto daemon = m_arena.serve(database);
    auto other = database.connect();

    // An intake elsewhere that does not get to its COMMIT.
    support::require(other.runScript(
        "BEGIN; INSERT INTO payment_events (event_no, event_id, event_type, source, user_id, asset,"
        " amount, trace_id) VALUES (nextval('event_no_seq'), 'open', 'deposit', 'payments', 1,"
        " 'ETH', 1, 't')"));
    QCOMPARE(deliver(*daemon, {.eventId = "out", .eventType = "withdrawal"}).status, 200);
    QVERIFY(torture::waitEnded(database, 10s));
    QCOMPARE(database.balance(1), std::string{"9"});
    support::require(other.runScript("ROLLBACK"));

    // An account, and its user, that somebody has locked.
    support::require(
        other.runScript("BEGIN; SELECT FROM balances FOR UPDATE; SELECT FROM users FOR UPDATE"));
    QCOMPARE(deliver(*daemon, {.eventId = "in"}).status, 200);
    support::require(other.runScript("ROLLBACK"));
    QVERIFY(torture::waitEnded(database, 10s));
    QCOMPARE(database.balance(1), std::string{"10"});
    check(database);
}

// Deadlocks and phantom "insufficient funds" under parallel payments, A to B and B to A.
void TestKnownFailures::paymentsBackAndForthNeitherLockNorLack()
{
    auto database = m_arena.createDatabase(kUsers);
    for (std::int64_t user = 1; user <= 4; ++user) database.addBalance(user, "ETH", "1000000");
    const auto one = m_arena.serve(database);
    const auto two = m_arena.serve(database);
    torture::Crowd crowd{m_arena.secret(), 8,
        [](std::int64_t turn) -> std::vector<support::Payment> {
            const auto no = std::to_string(turn);
            const auto from = 1 + turn % 4;
            const auto to = 1 + (turn + 1 + turn / 4 % 3) % 4;
            return {{.eventId = "from-" + no, .eventType = "withdrawal", .userId = from},
                {.eventId = "to-" + no, .userId = to}};
        },
        500};
    crowd.aim({one->http(), two->http()});

    QVERIFY(support::waitUntil([&] { return crowd.isDone(); }, 60s));
    QVERIFY(torture::waitEnded(database, 30s));
    QCOMPARE(
        database.value("SELECT trim_scale(sum(balance)) FROM balances"), std::string{"4000000"});
    QCOMPARE(m_arena.serverLogged("deadlock detected"), 0);
    check(database, {.promised = crowd.promised()});
}

} // namespace

QTEST_GUILESS_MAIN(TestKnownFailures)
#include "tst_known_failures.moc"
