// A line dies without a word between the log's tail and COMMIT, or with a pipeline half sent, while
// others work: nobody waits longer than fifteen seconds, and no answer claims what did not happen.

#include "tests/support/redis_server.h"
#include "tests/support/require.h"
#include "tests/support/temp_folder.h"
#include "tests/support/wait.h"
#include "tests/torture/arena.h"
#include "tests/torture/books.h"
#include "tests/torture/crowd.h"
#include "tests/torture/wire_proxy.h"

#include <QTest>
#include <chrono>
#include <csignal>
#include <future>
#include <memory>
#include <optional>

using namespace std::chrono_literals;
using torture::Cut;

namespace {

constexpr std::int64_t kUsers = 64; // one for each lane
constexpr auto kWaitMost = 20s; // fifteen, and slack for a busy machine

struct Death
{
    const char* name;
    const char* roles; // of the victim
    bool overTcp;
    Cut cut;
};

const std::vector<Death> kDeaths{
    {"settler, tail held", "settle", true, {Cut::Where::Before, "COMMIT", "FROM log_tail"}},
    {"intake, tail held", "ingest", false, {Cut::Where::Before, "COMMIT", "FROM log_tail"}},
    {"intake, its events half sent", "ingest", true,
        {Cut::Where::Half, "INSERT INTO payment_events"}},
    {"settler, its writes half sent", "settle", false,
        {Cut::Where::Half, "INSERT INTO balance_events"}},
    {"intake, COMMIT sent, answer lost", "ingest", true,
        {Cut::Where::HalfRead, "COMMIT", "FROM log_tail"}},
};

/// A victim behind a line, and another processor that has to go on; stores' contents of their own.
struct Scene
{
    explicit Scene(support::Database made) : database{std::move(made)} {}

    support::Database database;
    support::TempFolder folder;
    std::unique_ptr<support::RedisServer> redis;
    std::unique_ptr<torture::WireProxy> proxy;
    std::unique_ptr<support::Daemon> other;
    std::unique_ptr<support::Daemon> victim;
    std::unique_ptr<torture::Crowd> crowd;
    std::future<int> asked; // the status of the one delivery to the victim
    std::future<std::chrono::milliseconds> askedAgain; // until the other one took the same event
    support::Payment last{.eventId = "good-last", .userId = 7};
};

class TestCutLines : public QObject
{
    Q_OBJECT

private slots:
    void nobodyWaitsLong();

private:
    void open(Scene& scene, const Death& death);
    void kill(Scene& scene, const Death& death);
    void check(Scene& scene, const Death& death);
    int deliver(const std::string& address, const support::Payment& payment);

    torture::Arena m_arena;
};

int TestCutLines::deliver(const std::string& address, const support::Payment& payment)
{
    support::WebhookSender sender{address, m_arena.secret()};
    const auto answer = sender.send(payment);
    return answer ? answer->status : 0;
}

void TestCutLines::open(Scene& scene, const Death& death)
{
    scene.redis = support::require(support::RedisServer::start());
    const std::string host = death.overTcp ? m_arena.tcpHost() : scene.folder.path();
    scene.proxy = std::make_unique<torture::WireProxy>(
        death.overTcp ? host + ":0" : host + "/.s.PGSQL.5432",
        death.overTcp ? host + ":5432" : m_arena.socketFile());
    const auto url
        = torture::Arena::urlAt(scene.database, host, death.overTcp ? scene.proxy->port() : 5432);
    scene.other = m_arena.serve(scene.database, {.redisUrl = scene.redis->url()});
    scene.victim = m_arena.serve(
        scene.database, {.databaseUrl = url, .redisUrl = scene.redis->url(), .roles = death.roles});
    // Steady, not as fast as it can: five scenes share the machine.
    const auto deposits = torture::depositsTo(kUsers);
    scene.crowd
        = std::make_unique<torture::Crowd>(m_arena.secret(), 1, [deposits](std::int64_t turn) {
              support::letPass(20ms);
              return deposits(turn);
          });
    scene.crowd->aim({scene.other->http()});
}

void TestCutLines::kill(Scene& scene, const Death& death)
{
    scene.proxy->arm(death.cut);
    if (!scene.victim->http().empty()) {
        scene.asked = std::async(std::launch::async,
            [this, &scene] { return deliver(scene.victim->http(), scene.last); });
    }
    QVERIFY2(support::waitUntil([&] { return scene.proxy->hasStruck(); }, 20s), death.name);
    scene.victim->process().signal(SIGSTOP); // its host is gone, its lines are not closed
    // The provider turns to the other one with the very event that the victim holds.
    scene.askedAgain = std::async(std::launch::async, [this, &scene] {
        const auto begun = std::chrono::steady_clock::now();
        const bool isAccepted = support::waitUntil(
            [&] { return deliver(scene.other->http(), scene.last) == 200; }, 60s);
        return isAccepted ? std::chrono::duration_cast<std::chrono::milliseconds>(
                   std::chrono::steady_clock::now() - begun)
                          : 60s;
    });
}

void TestCutLines::check(Scene& scene, const Death& death)
{
    const auto sameEvent = scene.askedAgain.get();
    std::vector<std::string> promised{scene.last.eventId};
    scene.victim->process().kill();
    if (scene.asked.valid()) QVERIFY2(scene.asked.get() != 200, death.name);
    scene.crowd->stop();
    QVERIFY2(torture::waitEnded(scene.database, 30s), death.name);
    const auto more = scene.crowd->promised();
    promised.insert(promised.end(), more.begin(), more.end());
    const auto wrong = torture::complaints(
        scene.database, {.promised = promised, .redisUrl = scene.redis->url()});
    QVERIFY2(wrong.empty(), (death.name + (": " + wrong)).c_str());
    const auto slowest = scene.database.value(
        "SELECT round(extract(epoch FROM max(settled_at - received_at)) * 1000)"
        " FROM payment_events");
    qInfo("%s: longest wait for an answer %lld ms, for money %s ms, for the same event %lld ms",
        death.name, static_cast<long long>(scene.crowd->longestWait().count()), slowest.c_str(),
        static_cast<long long>(sameEvent.count()));
    QVERIFY2(scene.crowd->longestWait() <= kWaitMost, death.name);
    QVERIFY2(std::chrono::milliseconds{std::stoll(slowest)} <= kWaitMost, death.name);
    QVERIFY2(sameEvent <= kWaitMost, death.name);
    const auto counted = scene.database.table(
        "SELECT attempt, error_class, error, count(*) FROM event_attempts GROUP BY 1, 2, 3");
    QVERIFY2(counted.empty(), (death.name + (": " + counted)).c_str());
}

void TestCutLines::nobodyWaitsLong()
{
    std::vector<std::unique_ptr<Scene>> scenes;
    for (const Death& death : kDeaths) {
        open(*scenes.emplace_back(std::make_unique<Scene>(m_arena.createDatabase(kUsers))), death);
    }
    for (std::size_t i = 0; i < kDeaths.size(); ++i) kill(*scenes[i], kDeaths[i]);
    // Each goes on: a delivery that began after the death is answered and settled.
    for (std::size_t i = 0; i < kDeaths.size(); ++i) {
        const auto turns = scenes[i]->crowd->finishedTurns();
        QVERIFY2(
            support::waitUntil([&] { return scenes[i]->crowd->finishedTurns() > turns + 50; }, 60s),
            kDeaths[i].name);
    }
    // The lanes of the dead, too.
    for (std::size_t i = 0; i < kDeaths.size(); ++i) {
        const auto old = "SELECT count(*) FROM payment_events WHERE outcome IS NULL"
                         " AND received_at < clock_timestamp() - interval '2 s'";
        QVERIFY2(support::waitUntil([&] { return scenes[i]->database.value(old) == "0"; }, 60s),
            kDeaths[i].name);
    }
    for (std::size_t i = 0; i < kDeaths.size(); ++i) check(*scenes[i], kDeaths[i]);
}

} // namespace

QTEST_GUILESS_MAIN(TestCutLines)
#include "tst_cut_lines.moc"
