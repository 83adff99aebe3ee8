// A worker is killed three times with the same batch of healthy events in its hands: none of them
// is taken for the cause.

#include "tests/support/require.h"
#include "tests/support/wait.h"
#include "tests/torture/arena.h"
#include "tests/torture/books.h"
#include "tests/torture/crowd.h"

#include <QTest>
#include <chrono>

using namespace std::chrono_literals;

namespace {

constexpr int kBatch = 500;
constexpr int kKills = 3;
constexpr std::int64_t kUsers = 100;

class TestKilledBatch : public QObject
{
    Q_OBJECT

private slots:
    void condemnsNobody_data();
    void condemnsNobody();

private:
    torture::Arena m_arena;
};

void TestKilledBatch::condemnsNobody_data()
{
    QTest::addColumn<int>("healthyFor");

    QTest::newRow("in its first transaction") << 0;
    QTest::newRow("a little later each time") << 60;
}

void TestKilledBatch::condemnsNobody()
{
    QFETCH(int, healthyFor);
    auto database = m_arena.createDatabase(kUsers);
    database.run("INSERT INTO merchant_balances (merchant_id, asset) VALUES ('shop', 'ETH')");
    const auto intake = m_arena.serve(database, {.roles = "ingest,dispatch"});
    torture::Crowd crowd{m_arena.secret(), 8,
        [](std::int64_t turn) -> std::vector<support::Payment> {
            return {{.eventId = "good-" + std::to_string(turn),
                .userId = 1 + turn % kUsers,
                .more = {{"merchant_id", "shop"}}}};
        },
        kBatch};
    crowd.aim({intake->http()});
    QVERIFY(support::waitUntil([&] { return crowd.isDone(); }, 60s));

    // It cannot finish: somebody holds the merchant all of them pay.
    auto holder = database.connect();
    const auto isInTheMiddle = [&] {
        return database.value("SELECT count(*) FROM pg_stat_activity WHERE datname ="
                              " current_database() AND usename = 'countersign_processor'"
                              " AND wait_event_type = 'Lock'")
            != "0";
    };
    const auto isAllSettled
        = [&] { return database.value("SELECT count(*) FROM event_queue") == "0"; };
    for (int kill = 0; kill < kKills; ++kill) {
        support::require(holder.runScript("BEGIN; SELECT FROM merchant_balances FOR UPDATE"));
        const auto worker = m_arena.serve(database, {.roles = "settle,watch"});
        // Or it had the time to settle all of them.
        QVERIFY(support::waitUntil([&] { return isInTheMiddle() || isAllSettled(); }, 30s));
        if (healthyFor > 0) {
            support::require(holder.runScript("ROLLBACK"));
            const auto left = database.value("SELECT count(*) FROM event_queue");
            (void)support::waitUntil(
                [&] { return database.value("SELECT count(*) FROM event_queue") != left; },
                std::chrono::milliseconds{healthyFor});
        }
        worker->process().kill();
        support::require(holder.runScript("ROLLBACK"));
    }

    const auto worker = m_arena.serve(database, {.roles = "settle,watch"});
    const auto begun = std::chrono::steady_clock::now();
    QVERIFY(torture::waitEnded(database, 60s));
    const auto took = std::chrono::steady_clock::now() - begun;
    QCOMPARE(database.value("SELECT count(*) FROM payment_events WHERE outcome = 'confirmed'"),
        std::to_string(kBatch));
    QCOMPARE(database.value("SELECT count(*) FROM event_attempts"), std::string{"0"});
    QCOMPARE(database.value("SELECT count(*) FROM alerts WHERE key LIKE 'recovery_exhausted%'"),
        std::string{"0"});
    const auto wrong = torture::complaints(
        database, {.promised = crowd.promised(), .redisUrl = m_arena.stack().redisUrl()});
    QVERIFY2(wrong.empty(), wrong.c_str());
    qInfo("%d events settled %lld ms after the last start", kBatch,
        static_cast<long long>(
            std::chrono::duration_cast<std::chrono::milliseconds>(took).count()));
}

} // namespace

QTEST_GUILESS_MAIN(TestKilledBatch)
#include "tst_killed_batch.moc"
