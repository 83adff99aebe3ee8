#include "processor/base/alert.h"
#include "processor/base/alert_queue.h"
#include "processor/base/log.h"

#include <QTest>

#include <atomic>
#include <stdexcept>
#include <thread>

using namespace std::chrono_literals;
using base::AlertLevel;

class TestAlert : public QObject
{
    Q_OBJECT

    std::chrono::steady_clock::time_point m_now{1'000h};
    std::vector<base::Alert> m_heard;

    std::unique_ptr<base::Alerter> newAlerter()
    {
        auto alerter = std::make_unique<base::Alerter>([this] { return m_now; });
        alerter->addSink([this](const base::Alert& alert) { m_heard.push_back(alert); });
        return alerter;
    }

private slots:
    void init()
    {
        base::startLog(base::LogLevel::Critical, "test"); // the lines themselves are not looked at
        m_heard.clear();
    }

    void aKeyGoesOutOncePerCooldown_data()
    {
        QTest::addColumn<int>("secondsLater");
        QTest::addColumn<bool>("goesOut");

        QTest::newRow("at once") << 0 << false;
        QTest::newRow("just before the end") << 299 << false;
        QTest::newRow("at the end") << 300 << true;
        QTest::newRow("long after") << 90'000 << true;
    }
    void aKeyGoesOutOncePerCooldown()
    {
        QFETCH(int, secondsLater);
        QFETCH(bool, goesOut);
        const auto alerter = newAlerter();

        QVERIFY(alerter->raise(AlertLevel::Warning, "zombie_events", "3 zombies"));
        m_now += std::chrono::seconds{secondsLater};

        QCOMPARE(alerter->raise(AlertLevel::Warning, "zombie_events", "4 zombies"), goesOut);
        QCOMPARE(m_heard.size(), goesOut ? 2U : 1U);
    }

    void keysAreLimitedApart()
    {
        const auto alerter = newAlerter();
        QVERIFY(alerter->raise(AlertLevel::Critical, "orphan_deposit:1", "orphan"));
        QVERIFY(alerter->raise(AlertLevel::Critical, "orphan_deposit:2", "orphan"));
        QVERIFY(!alerter->raise(AlertLevel::Critical, "orphan_deposit:1", "orphan"));
    }

    void withoutKeyNeverLimited()
    {
        const auto alerter = newAlerter();
        for (int i = 0; i < 2'000; ++i) {
            QVERIFY(alerter->raise(AlertLevel::Info, "", "note"));
        }
        QVERIFY(alerter->raise(AlertLevel::Info, "first", "keyless ones take no room"));
    }

    void whatTheCooldownSwallowedIsCounted()
    {
        const auto alerter = newAlerter();
        for (int i = 0; i < 5; ++i) {
            alerter->raise(AlertLevel::Warning, "dlq_flood", "many letters");
        }
        m_now += 300s;
        alerter->raise(AlertLevel::Warning, "dlq_flood", "many letters");

        QCOMPARE(m_heard.size(), 2U);
        QCOMPARE(m_heard[0].repeats, 0);
        QCOMPARE(m_heard[1].repeats, 4);
    }

    void aFullMemorySuppressesNewKeysOnly()
    {
        const auto alerter = newAlerter();
        for (int i = 0; i < 1'000; ++i) {
            QVERIFY(alerter->raise(AlertLevel::Warning, "key" + std::to_string(i), "x"));
        }
        QVERIFY(!alerter->raise(AlertLevel::Critical, "one too many", "x"));

        m_now += 600s; // exactly twice the cooldown: not older than it, so not stale yet
        QVERIFY(!alerter->raise(AlertLevel::Critical, "one too many", "x"));
        QVERIFY(alerter->raise(AlertLevel::Warning, "key7", "a known key is served"));

        m_now += 1s; // all but key7 are stale now
        QVERIFY(alerter->raise(AlertLevel::Critical, "one too many", "x"));
        QVERIFY(!alerter->raise(AlertLevel::Warning, "key7", "still remembered"));
    }

    void handsOnAllItWasTold()
    {
        const auto alerter = newAlerter();
        const base::TraceScope trace{"t-1"};
        alerter->raise(AlertLevel::Critical, "balance_mismatch", "user 1", R"({"user_id":1})");

        QCOMPARE(m_heard.size(), 1U);
        QCOMPARE(m_heard[0].key, "balance_mismatch");
        QCOMPARE(m_heard[0].level, AlertLevel::Critical);
        QCOMPARE(m_heard[0].message, "user 1");
        QCOMPARE(m_heard[0].detail, R"({"user_id":1})");
        QCOMPARE(m_heard[0].traceId, "t-1");
        QCOMPARE(std::string{base::alertLevelName(AlertLevel::Critical)}, "CRITICAL");
    }

    void aThrowingListenerStopsNobody()
    {
        base::Alerter alerter{[this] { return m_now; }};
        alerter.addSink([](const base::Alert&) { throw std::runtime_error{"listener broke"}; });
        alerter.addSink([](const base::Alert&) { throw 1; });
        alerter.addSink([this](const base::Alert& alert) { m_heard.push_back(alert); });

        QVERIFY(alerter.raise(AlertLevel::Info, "web3_breaker_closed", "closed"));
        QCOMPARE(m_heard.size(), 1U);
    }

    void manyThreadsAgreeOnOne()
    {
        std::atomic<int> heard = 0;
        base::Alerter alerter{[this] { return m_now; }};
        alerter.addSink([&](const base::Alert&) { ++heard; });
        {
            std::vector<std::jthread> threads;
            for (int i = 0; i < 8; ++i) {
                threads.emplace_back([&] {
                    for (int n = 0; n < 500; ++n) {
                        alerter.raise(AlertLevel::Warning, "key" + std::to_string(n % 10), "x");
                    }
                });
            }
        }
        QCOMPARE(heard.load(), 10);
    }

    void theQueueKeepsOrderAndItsBound()
    {
        base::AlertQueue queue{3};
        const auto alerter = newAlerter();
        alerter->addSink([&](const base::Alert& alert) { queue.push(alert); });
        for (const char* key : {"a", "b", "c", "dropped"}) {
            alerter->raise(AlertLevel::Info, key, "x");
        }
        const std::stop_source stop;

        const auto first = queue.take(2, 0ns, stop.get_token());
        const auto rest = queue.take(9, 0ns, stop.get_token());

        QCOMPARE(first.size(), 2U);
        QCOMPARE(first[0].key, "a");
        QCOMPARE(first[1].key, "b");
        QCOMPARE(rest.size(), 1U);
        QCOMPARE(rest[0].key, "c");
        QVERIFY(queue.take(9, 0ns, stop.get_token()).empty());
    }

    void theQueueWakesItsReader()
    {
        base::AlertQueue queue;
        std::vector<base::Alert> got;
        {
            const std::jthread reader{
                [&](const std::stop_token& stop) { got = queue.take(10, 1h, stop); }};
            QVERIFY(queue.push({.key = "k",
                .level = AlertLevel::Info,
                .message = "m",
                .detail = {},
                .traceId = {},
                .at = {},
                .repeats = 0}));
            // The destructor asks for stop; an alert that is there goes first.
        }
        QCOMPARE(got.size(), 1U);
    }

    void stopEndsTheWait()
    {
        base::AlertQueue queue;
        std::jthread reader{[&](const std::stop_token& stop) { (void)queue.take(10, 1h, stop); }};
        reader.request_stop();
        reader.join();
    }
};

QTEST_APPLESS_MAIN(TestAlert)
#include "tst_alert.moc"
