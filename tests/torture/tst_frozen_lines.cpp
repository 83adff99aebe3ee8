// A worker frozen in the middle of a batch, over Unix socket and TCP, with a pipeline half sent or
// half read: another one serves its lanes within fifteen seconds, and continued it changes nothing.

#include "tests/support/require.h"
#include "tests/support/temp_folder.h"
#include "tests/support/wait.h"
#include "tests/torture/arena.h"
#include "tests/torture/books.h"
#include "tests/torture/crowd.h"
#include "tests/torture/scale.h"
#include "tests/torture/wire_proxy.h"

#include <QTest>
#include <chrono>
#include <csignal>
#include <memory>
#include <optional>

using namespace std::chrono_literals;
using torture::Cut;

namespace {

constexpr std::int64_t kUsers = 50;

struct Freeze
{
    const char* name;
    bool overTcp;
    std::optional<Cut> cut; // none: it waits for a merchant's row, and there it is frozen
};

const std::vector<Freeze> kFreezes{
    {"TCP, waiting for a lock", true, {}},
    {"Unix, reads half sent", false, Cut{Cut::Where::Half, "event_queue", "lanes"}},
    {"TCP, reads half sent", true, Cut{Cut::Where::Half, "event_queue", "lanes"}},
    {"Unix, writes half sent", false, Cut{Cut::Where::Half, "INSERT INTO balance_events"}},
    {"TCP, writes half sent", true, Cut{Cut::Where::Half, "INSERT INTO balance_events"}},
    {"Unix, events half read", false, Cut{Cut::Where::HalfRead, "event_queue", "lanes"}},
    {"TCP, events half read", true, Cut{Cut::Where::HalfRead, "event_queue", "lanes"}},
    {"Unix, counts half read", false, Cut{Cut::Where::HalfRead, "INSERT INTO balance_events"}},
    {"TCP, counts half read", true, Cut{Cut::Where::HalfRead, "INSERT INTO balance_events"}},
};

/// One frozen worker with a database of its own, so that all of them freeze at the same time.
struct Stage
{
    explicit Stage(support::Database made) : database{std::move(made)} {}

    support::Database database;
    support::TempFolder folder;
    std::vector<std::string> promised;
    std::unique_ptr<torture::WireProxy> proxy;
    std::unique_ptr<support::Daemon> worker;
    std::unique_ptr<support::Daemon> other;
    std::chrono::steady_clock::time_point frozenAt;
    std::optional<std::chrono::milliseconds> servedAfter;
};

class TestFrozenLines : public QObject
{
    Q_OBJECT

private slots:
    void lanesAreServedByAnother_data();
    void lanesAreServedByAnother();

private:
    void deliver(Stage& stage, std::int64_t from, std::int64_t events);
    void freeze(Stage& stage, const Freeze& how);
    bool isFrozenIn(Stage& stage, const Freeze& how);

    torture::Arena m_arena;
};

void TestFrozenLines::deliver(Stage& stage, std::int64_t from, std::int64_t events)
{
    const auto intake = m_arena.serve(stage.database, {.roles = "ingest"});
    torture::Crowd crowd{m_arena.secret(), 8,
        [from](std::int64_t turn) -> std::vector<support::Payment> {
            // Long names make long answers.
            return {{.eventId = "good-" + std::to_string(from + turn) + std::string(150, 'x'),
                .userId = 1 + turn % kUsers,
                .more = {{"merchant_id", "shop"}}}};
        },
        events};
    crowd.aim({intake->http()});
    QVERIFY(support::waitUntil([&] { return crowd.isDone(); }, 60s));
    const auto more = crowd.promised();
    stage.promised.insert(stage.promised.end(), more.begin(), more.end());
}

void TestFrozenLines::freeze(Stage& stage, const Freeze& how)
{
    auto holder = stage.database.connect();
    std::string url = torture::Arena::urlAt(stage.database, m_arena.tcpHost());
    if (how.cut) {
        const std::string host = how.overTcp ? m_arena.tcpHost() : stage.folder.path();
        const std::string listen = how.overTcp ? host + ":0" : host + "/.s.PGSQL.5432";
        stage.proxy = std::make_unique<torture::WireProxy>(
            listen, how.overTcp ? host + ":5432" : m_arena.socketFile());
        stage.proxy->arm(*how.cut);
        url = torture::Arena::urlAt(stage.database, host, how.overTcp ? stage.proxy->port() : 5432);
    } else {
        support::require(holder.runScript("BEGIN; SELECT FROM merchant_balances FOR UPDATE"));
    }
    stage.worker = m_arena.serve(stage.database, {.databaseUrl = url, .roles = "settle"});
    QVERIFY(support::waitUntil([&] { return isFrozenIn(stage, how); }, 20s));
    stage.worker->process().signal(SIGSTOP);
    stage.frozenAt = std::chrono::steady_clock::now();
} // the holder's transaction ends here

bool TestFrozenLines::isFrozenIn(Stage& stage, const Freeze& how)
{
    if (how.cut) return stage.proxy->hasStruck();
    return stage.database.value("SELECT count(*) FROM pg_stat_activity WHERE datname ="
                                " current_database() AND usename = 'countersign_processor'"
                                " AND wait_event_type = 'Lock'")
        != "0";
}

void TestFrozenLines::lanesAreServedByAnother_data()
{
    QTest::addColumn<int>("events");

    QTest::newRow("a batch of one") << 1;
    if (torture::isFull()) QTest::newRow("a full batch") << 500;
}

void TestFrozenLines::lanesAreServedByAnother()
{
    QFETCH(int, events);
    std::vector<std::unique_ptr<Stage>> stages;
    for (std::size_t i = 0; i < kFreezes.size(); ++i) {
        auto& stage = *stages.emplace_back(std::make_unique<Stage>(m_arena.createDatabase(kUsers)));
        stage.database.run("INSERT INTO merchant_balances (merchant_id, asset)"
                           " VALUES ('shop', 'ETH')");
        deliver(stage, 0, events);
    }
    for (std::size_t i = 0; i < kFreezes.size(); ++i) {
        freeze(*stages[i], kFreezes[i]);
        stages[i]->other = m_arena.serve(stages[i]->database, {.roles = "settle,watch"});
    }

    const auto allServed = [&] {
        bool all = true;
        for (auto& stage : stages) {
            if (!stage->servedAfter
                && stage->database.value(
                       "SELECT count(*) FROM payment_events WHERE outcome IS NULL")
                    == "0") {
                stage->servedAfter = std::chrono::duration_cast<std::chrono::milliseconds>(
                    std::chrono::steady_clock::now() - stage->frozenAt);
            }
            all = all && stage->servedAfter;
        }
        return all;
    };
    QVERIFY(support::waitUntil(allServed, 60s));

    for (std::size_t i = 0; i < kFreezes.size(); ++i) {
        auto& stage = *stages[i];
        qInfo("%s: served after %lld ms", kFreezes[i].name,
            static_cast<long long>(stage.servedAfter->count()));
        QVERIFY2(*stage.servedAfter <= 20s, kFreezes[i].name);
        // The worker goes on where it was, and is the only one now.
        stage.other->process().terminate();
        if (stage.proxy) stage.proxy->release();
        stage.worker->process().signal(SIGCONT);
        deliver(stage, events, 20);
        QVERIFY2(torture::waitEnded(stage.database, 30s), kFreezes[i].name);
        const auto wrong = torture::complaints(stage.database, {.promised = stage.promised});
        QVERIFY2(wrong.empty(), (kFreezes[i].name + (": " + wrong)).c_str());
        QCOMPARE(stage.database.value("SELECT count(*) FROM event_attempts"), std::string{"0"});
    }
}

} // namespace

QTEST_GUILESS_MAIN(TestFrozenLines)
#include "tst_frozen_lines.moc"
