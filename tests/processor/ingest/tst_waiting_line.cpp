#include "processor/ingest/waiting_line.h"

#include <QTest>

#include <memory>
#include <numeric>
#include <thread>

using namespace std::chrono_literals;

class TestWaitingLine : public QObject
{
    Q_OBJECT

private slots:
    void givesWhatGatheredInOrder()
    {
        ingest::WaitingLine<int> line{10, 1'000};
        for (int i = 0; i < 5; ++i) QVERIFY(line.offer(int{i}, 1));
        const auto first = line.take(3, 1'000, 0ns, {});
        const auto rest = line.take(3, 1'000, 0ns, {});
        QVERIFY((first == std::vector{0, 1, 2}));
        QVERIFY((rest == std::vector{3, 4}));
    }

    void isBoundedInItemsAndOctets()
    {
        ingest::WaitingLine<int> few{2, 1'000};
        QVERIFY(few.offer(1, 1) && few.offer(2, 1));
        QVERIFY(!few.offer(3, 1));
        ingest::WaitingLine<int> small{10, 100};
        QVERIFY(small.offer(1, 60));
        QVERIFY(!small.offer(2, 41));
        QVERIFY(small.offer(3, 40));
        QCOMPARE(small.take(10, 1'000, 0ns, {}).size(), std::size_t{2});
        QVERIFY(small.offer(4, 100));
    }

    void aRefusedItemStaysWithItsOwner()
    {
        ingest::WaitingLine<std::unique_ptr<int>> line{1, 1'000};
        QVERIFY(line.offer(std::make_unique<int>(1), 1));
        auto second = std::make_unique<int>(2);
        QVERIFY(!line.offer(std::move(second), 1));
        QCOMPARE(*second, 2);
    }

    void takesAtMostSoManyOctetsButAlwaysOne()
    {
        ingest::WaitingLine<int> line{10, 1'000};
        for (int i = 0; i < 3; ++i) QVERIFY(line.offer(int{i}, 100));
        QCOMPARE(line.take(10, 250, 0ns, {}).size(), std::size_t{2});
        QCOMPARE(line.take(10, 50, 0ns, {}).size(), std::size_t{1});
    }

    void aWakeEndsTheWaitWithNothing()
    {
        ingest::WaitingLine<int> line{10, 1'000};
        line.wake(); // kept until the next take
        QVERIFY(line.take(1, 1, 10s, {}).empty());
        std::jthread waker{[&] { line.wake(); }};
        QVERIFY(line.take(1, 1, 10s, {}).empty());
    }

    void aStopEndsTheWait()
    {
        ingest::WaitingLine<int> line{10, 1'000};
        std::stop_source stop;
        std::jthread stopper{[&] { stop.request_stop(); }};
        QVERIFY(line.take(1, 1, 10s, stop.get_token()).empty());
    }

    void manyOffererersLoseNothing()
    {
        ingest::WaitingLine<int> line{100'000, 1'000'000};
        constexpr int kThreads = 4;
        constexpr int kEach = 5'000;
        std::vector<int> seen;
        {
            std::vector<std::jthread> threads;
            for (int thread = 0; thread < kThreads; ++thread) {
                threads.emplace_back([&line, thread] {
                    for (int i = 0; i < kEach; ++i) {
                        QVERIFY(line.offer(thread * kEach + i, 1));
                    }
                });
            }
            while (seen.size() < kThreads * kEach) {
                const auto taken = line.take(100, 1'000, 5s, {});
                QVERIFY(!taken.empty());
                seen.insert(seen.end(), taken.begin(), taken.end());
            }
        }
        std::ranges::sort(seen);
        std::vector<int> expected(kThreads * kEach);
        std::iota(expected.begin(), expected.end(), 0);
        QVERIFY(seen == expected);
    }
};

QTEST_APPLESS_MAIN(TestWaitingLine)
#include "tst_waiting_line.moc"
