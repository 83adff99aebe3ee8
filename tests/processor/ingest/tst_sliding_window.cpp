#include "processor/base/limits.h"
#include "processor/ingest/sliding_window.h"

#include <QTest>

using namespace std::chrono_literals;
using ingest::SlidingWindows;

namespace {

const SlidingWindows::Time kStart{1h};

int admitted(SlidingWindows& windows, int requests, SlidingWindows::Time now)
{
    int count = 0;
    for (int i = 0; i < requests; ++i) count += windows.admit("a", now) ? 0 : 1;
    return count;
}

} // namespace

class TestSlidingWindow : public QObject
{
    Q_OBJECT

private slots:
    void refusesThe31stWithinASecond()
    {
        SlidingWindows windows{{.perSecond = 30, .perMinute = 300}};
        QCOMPARE(admitted(windows, 30, kStart), 30);
        const auto wait = windows.admit("a", kStart + 250ms);
        QVERIFY(wait.has_value());
        QCOMPARE(wait->count(), 750'000);
        QVERIFY(!windows.admit("a", kStart + 1s));
    }

    void hasNoEdgeAtWhichTwiceTheLimitPasses()
    {
        SlidingWindows windows{{.perSecond = 30, .perMinute = 0}};
        QCOMPARE(admitted(windows, 20, kStart + 900ms), 20);
        QCOMPARE(admitted(windows, 20, kStart + 1'100ms), 10);
        QCOMPARE(admitted(windows, 40, kStart + 1'900ms), 20);
    }

    void refusesThe301stWithinAMinute()
    {
        SlidingWindows windows{{.perSecond = 30, .perMinute = 300}};
        for (int second = 0; second < 10; ++second) {
            QCOMPARE(admitted(windows, 30, kStart + 2s * second), 30);
        }
        const auto wait = windows.admit("a", kStart + 30s);
        QVERIFY(wait.has_value());
        QCOMPARE(wait->count(), 30'000'000);
        QCOMPARE(admitted(windows, 40, kStart + 60s), 30);
    }

    void refusedRequestsDoNotCount()
    {
        SlidingWindows windows{{.perSecond = 2, .perMinute = 0}};
        QCOMPARE(admitted(windows, 100, kStart), 2);
        QCOMPARE(admitted(windows, 100, kStart + 1s), 2);
    }

    void zeroIsNoLimit()
    {
        SlidingWindows off{{.perSecond = 0, .perMinute = 0}};
        QCOMPARE(admitted(off, 10'000, kStart), 10'000);
        SlidingWindows minute{{.perSecond = 0, .perMinute = 100}};
        QCOMPARE(admitted(minute, 200, kStart), 100);
    }

    void addressesDoNotShareALimit()
    {
        SlidingWindows windows{{.perSecond = 1, .perMinute = 0}};
        QVERIFY(!windows.admit("a", kStart));
        QVERIFY(!windows.admit("b", kStart));
        QVERIFY(windows.admit("a", kStart).has_value());
    }

    void notedRequestsCount()
    {
        SlidingWindows windows{{.perSecond = 2, .perMinute = 0}};
        windows.note("a", kStart);
        windows.note("a", kStart);
        QVERIFY(windows.admit("a", kStart + 1ms).has_value());
    }

    void memoryIsBounded()
    {
        SlidingWindows windows{{.perSecond = 1, .perMinute = 0}};
        for (std::size_t i = 0; i < base::kRateLimitAddressesMax + 10; ++i) {
            QVERIFY(!windows.admit(std::to_string(i), kStart));
        }
        QCOMPARE(windows.addresses(), base::kRateLimitAddressesMax);
        // A minute later they are nobody any more.
        QVERIFY(!windows.admit("new", kStart + 61s));
        QCOMPARE(windows.addresses(), std::size_t{1});
    }

    void agreesWithASimpleModel()
    {
        // Model: all admitted times of the last minute, counted anew for each request.
        const int perSecond = 5;
        const int perMinute = 20;
        SlidingWindows windows{{.perSecond = perSecond, .perMinute = perMinute}};
        std::vector<SlidingWindows::Time> times;
        quint32 random = 12'345;
        auto now = kStart;
        for (int i = 0; i < 20'000; ++i) {
            random = random * 1'664'525U + 1'013'904'223U;
            now += std::chrono::milliseconds{random % 4'000U / 10U};
            const auto within = [&](auto window) {
                return std::ranges::count_if(times, [&](auto time) { return time + window > now; });
            };
            const bool expected = within(1s) < perSecond && within(60s) < perMinute;
            if (expected) times.push_back(now);
            QCOMPARE(!windows.admit("a", now).has_value(), expected);
            std::erase_if(times, [&](auto time) { return time + 61s < now; });
        }
    }
};

QTEST_APPLESS_MAIN(TestSlidingWindow)
#include "tst_sliding_window.moc"
