// Redis is out of reach for one of two processors only: nothing is doubled, the order is kept.

#include "tests/support/fault_proxy.h"
#include "tests/support/require.h"
#include "tests/support/temp_folder.h"
#include "tests/support/wait.h"
#include "tests/torture/arena.h"
#include "tests/torture/books.h"
#include "tests/torture/crowd.h"
#include "tests/torture/scale.h"

#include <QTest>
#include <chrono>
#include <memory>

using namespace std::chrono_literals;
using support::FaultProxy;

namespace {

constexpr std::int64_t kUsers = 200;

class TestHalfBlind : public QObject
{
    Q_OBJECT

private slots:
    void nothingIsDoubledAndTheOrderIsKept_data();
    void nothingIsDoubledAndTheOrderIsKept();

private:
    torture::Arena m_arena;
};

void TestHalfBlind::nothingIsDoubledAndTheOrderIsKept_data()
{
    QTest::addColumn<bool>("isSilent"); // or refuses connections

    QTest::newRow("silent") << true;
    QTest::newRow("gone") << false;
}

void TestHalfBlind::nothingIsDoubledAndTheOrderIsKept()
{
    QFETCH(bool, isSilent);
    const auto blindness = torture::scaled<std::chrono::seconds>(4s, 60s);
    auto database = m_arena.createDatabase(kUsers);
    const support::TempFolder folder;
    const std::string own = folder.file("redis.sock");
    const std::string all = m_arena.stack().redisUrl().substr(std::string{"unix://"}.size());
    auto line = std::make_unique<FaultProxy>(own, all);
    const auto seeing = m_arena.serve(database);
    const auto blind = m_arena.serve(database, {.redisUrl = "unix://" + own});
    torture::Crowd crowd{m_arena.secret(), 8, torture::pairsOf(kUsers)};
    crowd.aim({seeing->http(), blind->http()});
    const auto grow = [&](std::int64_t turns) {
        const auto target = crowd.finishedTurns() + turns;
        return support::waitUntil([&] { return crowd.finishedTurns() >= target; }, 60s);
    };

    QVERIFY(grow(100));
    if (isSilent) line->arm(FaultProxy::Fault::Stall);
    else line.reset();
    const auto before = crowd.finishedTurns();
    support::letPass(blindness);
    const auto during = crowd.finishedTurns() - before;
    QVERIFY(during > 0);
    // What it had sent before, hours ago as it were, arrives now.
    if (isSilent) line->arm(FaultProxy::Fault::None);
    else line = std::make_unique<FaultProxy>(own, all);
    QVERIFY(grow(100));
    crowd.stop();

    QVERIFY(torture::waitEnded(database, 60s));
    QCOMPARE(database.value("SELECT count(*) FROM payment_events WHERE outcome = 'failed'"),
        std::string{"0"}); // the order: no withdrawal came before its deposit
    const auto wrong = torture::complaints(
        database, {.promised = crowd.promised(), .redisUrl = m_arena.stack().redisUrl()});
    QVERIFY2(wrong.empty(), wrong.c_str());
    QCOMPARE(
        database.value("SELECT count(*) FROM alerts WHERE key = 'log_diverged'"), std::string{"0"});
    qInfo("%lld pairs a second while one is blind, longest wait for a 200 %lld ms",
        static_cast<long long>(during / blindness.count()),
        static_cast<long long>(crowd.longestWait().count()));
}

} // namespace

QTEST_GUILESS_MAIN(TestHalfBlind)
#include "tst_half_blind.moc"
