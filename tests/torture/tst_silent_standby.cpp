// A synchronous standby that never answers: intake says 503 and never 200, no COMMIT is cancelled,
// and when the standby is given up everything resolves.

#include "tests/support/require.h"
#include "tests/support/wait.h"
#include "tests/torture/arena.h"
#include "tests/torture/books.h"
#include "tests/torture/crowd.h"
#include "tests/torture/scale.h"

#include <QTest>
#include <algorithm>
#include <chrono>

using namespace std::chrono_literals;

namespace {

constexpr std::int64_t kUsers = 200;

class TestSilentStandby : public QObject
{
    Q_OBJECT

private slots:
    void isWaitedFor();

private:
    torture::Arena m_arena{{"log_min_error_statement=warning"}};
};

void TestSilentStandby::isWaitedFor()
{
    const auto silence = torture::scaled<std::chrono::seconds>(8s, 60s);
    auto database = m_arena.createDatabase(kUsers);
    const auto one = m_arena.serve(database);
    const auto two = m_arena.serve(database);
    torture::Crowd crowd{m_arena.secret(), 8, torture::pairsOf(kUsers)};
    crowd.aim({one->http(), two->http()});
    QVERIFY(support::waitUntil([&] { return crowd.finishedTurns() >= 100; }, 60s));

    database.run("ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
    database.run("SELECT pg_reload_conf()");
    QVERIFY(support::waitUntil([&] { return crowd.statuses()[503] > 0; }, 30s));
    // From here on nobody may hear 200: the last that did was committed before the standby was.
    const auto promised = crowd.promised().size();
    int waitingMost = 0;
    const auto isHeard = [&] {
        waitingMost = std::max(waitingMost,
            std::stoi(database.value("SELECT count(*) FROM pg_stat_activity WHERE datname ="
                                     " current_database() AND wait_event = 'SyncRep'")));
        return crowd.promised().size() > promised;
    };
    QVERIFY2(!support::waitUntil(isHeard, silence), "200 without the standby");
    QVERIFY(waitingMost > 0);

    const auto refused = crowd.statuses()[503];
    database.run("ALTER SYSTEM RESET synchronous_standby_names");
    database.run("SELECT pg_reload_conf()");
    const auto turns = crowd.finishedTurns();
    const auto back = std::chrono::steady_clock::now();
    QVERIFY(support::waitUntil([&] { return crowd.finishedTurns() > turns; }, 30s));
    const auto acceptedAfter = std::chrono::steady_clock::now() - back;
    QVERIFY(support::waitUntil([&] { return crowd.finishedTurns() >= turns + 100; }, 60s));
    crowd.stop();

    QVERIFY(torture::waitEnded(database, 60s));
    const auto wrong = torture::complaints(
        database, {.promised = crowd.promised(), .redisUrl = m_arena.stack().redisUrl()});
    QVERIFY2(wrong.empty(), wrong.c_str());
    QCOMPARE(m_arena.serverLogged("canceling wait for synchronous replication"), 0);
    for (const auto& [status, count] : crowd.statuses()) {
        qInfo("answered %d: %lld times", status, static_cast<long long>(count));
        QVERIFY(status == 200 || status == 503 || status == 0); // 0: it gave up after ten seconds
    }
    qInfo("%lld s of silence: %lld refusals, at most %d sessions waiting; first 200 %.1f s after",
        static_cast<long long>(silence.count()), static_cast<long long>(refused), waitingMost,
        std::chrono::duration<double>{acceptedAfter}.count());
}

} // namespace

QTEST_GUILESS_MAIN(TestSilentStandby)
#include "tst_silent_standby.moc"
