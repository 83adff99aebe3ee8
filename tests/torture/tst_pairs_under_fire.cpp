// Deposit X, then withdrawal X of an empty account, while one of two processors is killed again and
// again: no withdrawal is refused, nothing is paid twice.

#include "tests/support/wait.h"
#include "tests/torture/arena.h"
#include "tests/torture/books.h"
#include "tests/torture/crowd.h"
#include "tests/torture/scale.h"

#include <QTest>
#include <chrono>

using namespace std::chrono_literals;

namespace {

class TestPairsUnderFire : public QObject
{
    Q_OBJECT

private slots:
    void noneIsRefusedAndNoneDoubled();

private:
    torture::Arena m_arena;
};

void TestPairsUnderFire::noneIsRefusedAndNoneDoubled()
{
    const std::int64_t pairs = torture::scaled<std::int64_t>(300, 10'000);
    const int killsAtLeast = torture::scaled(3, 10);
    const std::int64_t users = pairs / 2;
    auto database = m_arena.createDatabase(users);
    const auto survivor = m_arena.serve(database);
    auto victim = m_arena.serve(database);
    torture::Crowd crowd{m_arena.secret(), 8, torture::pairsOf(users)};
    const auto begun = std::chrono::steady_clock::now();

    int kills = 0;
    while (crowd.finishedTurns() < pairs || kills < killsAtLeast) {
        crowd.aim({survivor->http(), victim->http()});
        // It lives for two seconds.
        (void)support::waitUntil(
            [&] { return kills >= killsAtLeast && crowd.finishedTurns() >= pairs; }, 2s);
        victim->process().kill();
        ++kills;
        crowd.aim({survivor->http()});
        victim = m_arena.serve(database);
        QVERIFY2(kills < 300, "the pairs do not get through");
    }
    const auto took = std::chrono::steady_clock::now() - begun;
    crowd.stop();

    QVERIFY(torture::waitEnded(database, 60s));
    QCOMPARE(database.value("SELECT count(*) FROM payment_events WHERE outcome = 'failed'"),
        std::string{"0"});
    const auto wrong = torture::complaints(
        database, {.promised = crowd.promised(), .redisUrl = m_arena.stack().redisUrl()});
    QVERIFY2(wrong.empty(), wrong.c_str());
    // Each pair came to nothing; only of the last ones a withdrawal may never have been sent.
    const auto whole = database.value("SELECT count(*) FROM payment_events");
    QVERIFY(std::stoll(whole) >= 2 * pairs);
    qInfo("%lld pairs, %d kills in %.1f s, longest wait for a 200 %lld ms",
        static_cast<long long>(crowd.finishedTurns()), kills,
        std::chrono::duration<double>{took}.count(),
        static_cast<long long>(crowd.longestWait().count()));
}

} // namespace

QTEST_GUILESS_MAIN(TestPairsUnderFire)
#include "tst_pairs_under_fire.moc"
