#include "processor/base/wakeup.h"

#include <QTest>

#include <atomic>
#include <thread>

using namespace std::chrono_literals;

class TestWakeup : public QObject
{
    Q_OBJECT

private slots:
    void withoutNotificationTheWaitEnds()
    {
        base::Wakeup wakeup;
        QVERIFY(!wakeup.waitFor(1ms, {}));
    }

    void aNotificationBeforeTheWaitIsKept()
    {
        base::Wakeup wakeup;
        wakeup.notify();
        wakeup.notify();
        QVERIFY(wakeup.waitFor(1h, {}));
        QVERIFY(!wakeup.waitFor(0ms, {})); // two before one wait count as one
    }

    void stopEndsTheWait()
    {
        base::Wakeup wakeup;
        std::atomic<bool> notified = true;
        std::jthread waiter{
            [&](const std::stop_token& stop) { notified = wakeup.waitFor(1h, stop); }};
        waiter.request_stop();
        waiter.join();
        QVERIFY(!notified);
    }

    // A ball played to and fro: one lost wake-up would hang until the test's time-out.
    void noneIsLost()
    {
        constexpr int kRounds = 20'000;
        base::Wakeup there;
        base::Wakeup back;
        std::jthread other{[&] {
            for (int i = 0; i < kRounds; ++i) {
                (void)there.waitFor(1h, {});
                back.notify();
            }
        }};
        for (int i = 0; i < kRounds; ++i) {
            there.notify();
            QVERIFY(back.waitFor(1h, {}));
        }
    }
};

QTEST_APPLESS_MAIN(TestWakeup)
#include "tst_wakeup.moc"
