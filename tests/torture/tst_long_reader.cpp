// Somebody reads for long in one snapshot during load: nothing gets stuck. What it costs is said.

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

constexpr std::int64_t kUsers = 2'000;

class TestLongReader : public QObject
{
    Q_OBJECT

private slots:
    void nothingGetsStuck();

private:
    struct Load
    {
        std::int64_t perSecond;
        std::int64_t oldestMs; // the oldest unfinished event that was seen
    };
    static Load loadOf(
        torture::Crowd& crowd, support::Database& database, std::chrono::seconds length);

    torture::Arena m_arena;
};

TestLongReader::Load TestLongReader::loadOf(
    torture::Crowd& crowd, support::Database& database, std::chrono::seconds length)
{
    const auto before = crowd.finishedTurns();
    Load load{0, 0};
    const auto isWatched = [&] {
        load.oldestMs = std::max<std::int64_t>(load.oldestMs,
            std::stoll(database.value(
                "SELECT coalesce(round(extract(epoch FROM clock_timestamp() - min(received_at))"
                " * 1000), 0) FROM payment_events e JOIN event_queue q USING (event_no)")));
        support::letPass(250ms);
        return false;
    };
    (void)support::waitUntil(isWatched, length);
    load.perSecond = (crowd.finishedTurns() - before) / length.count();
    return load;
}

void TestLongReader::nothingGetsStuck()
{
    const auto alone = torture::scaled<std::chrono::seconds>(4s, 60s);
    const auto reading = torture::scaled<std::chrono::seconds>(8s, 600s);
    auto database = m_arena.createDatabase(kUsers);
    const auto one = m_arena.serve(database);
    const auto two = m_arena.serve(database);
    torture::Crowd crowd{m_arena.secret(), 8, torture::depositsTo(kUsers)};
    crowd.aim({one->http(), two->http()});
    (void)loadOf(crowd, database, 1s); // warm

    const auto without = loadOf(crowd, database, alone);
    auto reader = database.connect();
    support::require(reader.runScript(
        "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM payment_events;"
        " SELECT count(*) FROM event_queue"));
    const auto with = loadOf(crowd, database, reading);
    const auto end = loadOf(crowd, database, alone);
    support::require(reader.runScript("ROLLBACK"));
    crowd.stop();

    QVERIFY(torture::waitEnded(database, 60s));
    const auto wrong = torture::complaints(
        database, {.promised = crowd.promised(), .redisUrl = m_arena.stack().redisUrl()});
    QVERIFY2(wrong.empty(), wrong.c_str());
    for (const auto& [status, count] : crowd.statuses()) QCOMPARE(status, 200);
    qInfo("without a reader %lld/s (oldest waiting %lld ms); %lld s with one %lld/s (%lld ms);"
          " at its end %lld/s (%lld ms)",
        static_cast<long long>(without.perSecond), static_cast<long long>(without.oldestMs),
        static_cast<long long>(reading.count()), static_cast<long long>(with.perSecond),
        static_cast<long long>(with.oldestMs), static_cast<long long>(end.perSecond),
        static_cast<long long>(end.oldestMs));
    QVERIFY(end.perSecond > without.perSecond / 10); // stuck would be nothing at all
    QVERIFY(std::max(with.oldestMs, end.oldestMs) < 15'000);
}

} // namespace

QTEST_GUILESS_MAIN(TestLongReader)
#include "tst_long_reader.moc"
