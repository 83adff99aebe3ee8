// All the load on one account is settled about as fast as the same load on many.

#include "tests/support/wait.h"
#include "tests/torture/arena.h"
#include "tests/torture/books.h"
#include "tests/torture/crowd.h"
#include "tests/torture/scale.h"

#include <QTest>
#include <chrono>

using namespace std::chrono_literals;

namespace {

class TestHotAccount : public QObject
{
    Q_OBJECT

private slots:
    void isNoSlowerThanMany();

private:
    std::int64_t settledPerSecond(std::int64_t events, std::int64_t users);

    torture::Arena m_arena;
};

// Of a queue that is full before anybody settles, by the database's clock from first to last.
std::int64_t TestHotAccount::settledPerSecond(std::int64_t events, std::int64_t users)
{
    auto database = m_arena.createDatabase(users);
    const auto intake = m_arena.serve(database, {.roles = "ingest,dispatch"});
    torture::Crowd crowd{m_arena.secret(), 16, torture::depositsTo(users), events};
    crowd.aim({intake->http()});
    if (!support::waitUntil([&] { return crowd.isDone(); }, 300s)) return 0;

    const auto settler = m_arena.serve(database, {.roles = "settle,watch"});
    if (!torture::waitEnded(database, 300s)) return 0;
    const auto wrong = torture::complaints(
        database, {.promised = crowd.promised(), .redisUrl = m_arena.stack().redisUrl()});
    if (!wrong.empty()) {
        qWarning("%s", wrong.c_str());
        return 0;
    }
    // The first batch has no length yet: what it settled is not counted.
    const auto rate = database.value(
        "SELECT round(count(*) FILTER (WHERE settled_at > low) / extract(epoch FROM"
        " max(settled_at) - min(settled_at))) FROM payment_events,"
        " (SELECT min(settled_at) AS low FROM payment_events) first");
    return std::stoll(rate);
}

void TestHotAccount::isNoSlowerThanMany()
{
    const std::int64_t events = torture::scaled<std::int64_t>(3'000, 30'000);

    const auto many = settledPerSecond(events, 2'000);
    const auto one = settledPerSecond(events, 1);

    qInfo("%lld events: %lld/s on 2000 accounts, %lld/s on one, ratio %lld %%",
        static_cast<long long>(events), static_cast<long long>(many), static_cast<long long>(one),
        static_cast<long long>(many > 0 ? one * 100 / many : 0));
    QVERIFY(many > 0);
    // Other programs run on the machine: a limit that only a wedged account would pass.
    QVERIFY(one > many / 4);
}

} // namespace

QTEST_GUILESS_MAIN(TestHotAccount)
#include "tst_hot_account.moc"
