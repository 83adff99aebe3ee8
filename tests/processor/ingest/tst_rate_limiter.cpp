#include "processor/ingest/rate_limiter.h"
#include "tests/support/redis_server.h"
#include "tests/support/require.h"
#include "tests/support/wait.h"

#include <QTest>

#include <memory>

using namespace std::chrono_literals;
using ingest::RateLimiter;

namespace {

const ingest::RateLimits kDefault{};

// How many of so many requests of one address are admitted, in one batch.
int admitted(RateLimiter& limiter, std::size_t requests, std::string_view address = "203.0.113.1")
{
    const std::vector<std::string_view> addresses(requests, address);
    int count = 0;
    for (const auto& verdict : limiter.judge(addresses)) count += verdict ? 0 : 1;
    return count;
}

} // namespace

class TestRateLimiter : public QObject
{
    Q_OBJECT

private slots:
    void init() { m_redis = support::require(support::RedisServer::start()); }

    void the31stWithinASecondIsRefusedAndToldWhenToComeBack()
    {
        RateLimiter limiter{kDefault, m_redis->url()};
        const std::vector<std::string_view> addresses(31, "203.0.113.1");
        const auto verdicts = limiter.judge(addresses);
        QVERIFY(limiter.isShared());
        for (std::size_t i = 0; i < 30; ++i) QVERIFY(!verdicts[i]);
        QVERIFY(verdicts[30].has_value());
        QCOMPARE(verdicts[30]->count(), 1);
    }

    void twoProcessesShareTheLimit()
    {
        RateLimiter one{kDefault, m_redis->url()};
        RateLimiter other{kDefault, m_redis->url()};
        QCOMPARE(admitted(one, 16) + admitted(other, 15), 30);
    }

    void theSecondPasses()
    {
        RateLimiter limiter{kDefault, m_redis->url()};
        QCOMPARE(admitted(limiter, 40), 30);
        QVERIFY(support::waitUntil([&] { return admitted(limiter, 1) == 1; }, 5s));
    }

    void theMinuteIsLimitedToo()
    {
        RateLimiter limiter{{.perSecond = 0, .perMinute = 50}, m_redis->url()};
        QCOMPARE(admitted(limiter, 60), 50);
        const std::vector<std::string_view> once{"203.0.113.1"};
        const auto verdict = limiter.judge(once).front();
        QVERIFY(verdict && *verdict > 50s && *verdict <= 60s);
    }

    void addressesDoNotShareALimit()
    {
        RateLimiter limiter{kDefault, m_redis->url()};
        QCOMPARE(admitted(limiter, 31, "203.0.113.1"), 30);
        QCOMPARE(admitted(limiter, 31, "2001:db8::1"), 30);
    }

    void aHostCannotTurnToItsOtherAddresses()
    {
        RateLimiter limiter{kDefault, m_redis->url()};
        QCOMPARE(admitted(limiter, 20, "2001:db8::1"), 20);
        QCOMPARE(admitted(limiter, 20, "2001:db8::2"), 10);
        QCOMPARE(admitted(limiter, 20, "192.0.2.1"), 20);
        QCOMPARE(admitted(limiter, 20, "::ffff:192.0.2.1"), 10);
        m_redis->kill(); // remembered here, likewise
        QCOMPARE(admitted(limiter, 1, "2001:db8::3"), 0);
    }

    void withoutLimitsNobodyIsAsked()
    {
        RateLimiter limiter{{.perSecond = 0, .perMinute = 0}, "unix:///nowhere"};
        QCOMPARE(admitted(limiter, 1'000), 1'000);
        QVERIFY(limiter.isShared()); // it never tried
    }

    void withoutRedisTheProcessLimitsByItself()
    {
        RateLimiter limiter{kDefault, "unix:///nowhere/redis.sock"};
        QCOMPARE(admitted(limiter, 31), 30);
        QVERIFY(!limiter.isShared());
    }

    void whatRedisKnewIsKnownWhenItGoes()
    {
        RateLimiter limiter{{.perSecond = 0, .perMinute = 30}, m_redis->url()};
        QCOMPARE(admitted(limiter, 20), 20);
        m_redis->kill();
        QCOMPARE(admitted(limiter, 20), 10);
        QVERIFY(!limiter.isShared());
    }

    void aFrozenRedisCostsOneTimeOut()
    {
        RateLimiter limiter{kDefault, m_redis->url()};
        QCOMPARE(admitted(limiter, 1), 1);
        m_redis->freeze();
        QElapsedTimer timer;
        timer.start();
        for (int i = 0; i < 20; ++i) (void)admitted(limiter, 1);
        QVERIFY2(timer.elapsed() < 900, "each batch waited for Redis");
        QVERIFY(!limiter.isShared());
        m_redis->thaw();
        QVERIFY(support::waitUntil(
            [&] {
                (void)admitted(limiter, 1);
                return limiter.isShared();
            },
            10s));
    }

    void aRedisThatComesBackIsAskedAgain()
    {
        RateLimiter limiter{kDefault, m_redis->url()};
        m_redis->kill();
        QCOMPARE(admitted(limiter, 1), 1);
        QVERIFY(!limiter.isShared());
        support::require(m_redis->restart());
        QVERIFY(support::waitUntil(
            [&] {
                (void)admitted(limiter, 1);
                return limiter.isShared();
            },
            10s));
    }

    void keysEndByThemselves()
    {
        RateLimiter limiter{kDefault, m_redis->url()};
        QCOMPARE(admitted(limiter, 40), 30);
        redis::Client client{{.url = m_redis->url()}};
        const auto length = support::require(client.run({"LLEN", "rl:203.0.113.1"}));
        QCOMPARE(length.integer, 30);
        const auto left = support::require(client.run({"PTTL", "rl:203.0.113.1"}));
        QVERIFY(left.integer > 0 && left.integer <= 60'000);
    }

    void timesFromTheFutureDoNotLockAnybodyOut()
    {
        redis::Client client{{.url = m_redis->url()}};
        for (int i = 0; i < 30; ++i) {
            support::require(client.run({"LPUSH", "rl:203.0.113.1", "9999999999999999"}));
        }
        RateLimiter limiter{kDefault, m_redis->url()};
        QCOMPARE(admitted(limiter, 31), 30);
    }

private:
    std::unique_ptr<support::RedisServer> m_redis;
};

QTEST_GUILESS_MAIN(TestRateLimiter)
#include "tst_rate_limiter.moc"
