#include "processor/base/wakeup.h"
#include "processor/daemon/threads.h"
#include "tests/support/wait.h"

#include <QTest>
#include <fstream>
#include <stdexcept>

using namespace std::chrono_literals;

namespace {

void untilStopped(const std::stop_token& stop)
{
    base::Wakeup never;
    while (!stop.stop_requested()) (void)never.waitFor(1h, stop);
}

class TestThreads : public QObject
{
    Q_OBJECT

private slots:
    void threadsEndWhenAsked();
    void whatIsThrownIsAFailure();
    void returningEarlyIsAFailure();
    void oneThatHangsIsNamed();
    void theKernelKnowsTheName();
};

void TestThreads::threadsEndWhenAsked()
{
    processor::Threads threads;
    threads.start("one", untilStopped);
    threads.start("two", untilStopped);
    QCOMPARE(threads.running(), (std::vector<std::string>{"one", "two"}));

    threads.requestStop();

    QVERIFY(threads.join(10s));
    QVERIFY(threads.failed().empty());
    QVERIFY(threads.running().empty());
}

void TestThreads::whatIsThrownIsAFailure()
{
    processor::Threads threads;
    threads.start(
        "thrower", [](const std::stop_token&) { throw std::runtime_error{"on purpose"}; });
    threads.start("odd", [](const std::stop_token&) { throw 7; });
    QVERIFY(threads.join(10s));
    QCOMPARE(threads.failed(), (std::vector<std::string>{"thrower", "odd"}));
}

void TestThreads::returningEarlyIsAFailure()
{
    processor::Threads threads;
    threads.start("deserter", [](const std::stop_token&) {});
    QVERIFY(support::waitUntil([&] { return !threads.failed().empty(); }, 10s));
    QCOMPARE(threads.failed().front(), std::string{"deserter"});
}

void TestThreads::oneThatHangsIsNamed()
{
    std::stop_source release;
    processor::Threads threads;
    threads.start("good", untilStopped);
    threads.start("hangs", [&](const std::stop_token&) { untilStopped(release.get_token()); });
    threads.requestStop();
    QVERIFY(!threads.join(100ms));
    QVERIFY(support::waitUntil(
        [&] { return threads.running() == std::vector<std::string>{"hangs"}; }, 10s));
    release.request_stop();
    QVERIFY(threads.join(10s));
}

void TestThreads::theKernelKnowsTheName()
{
    std::string seen;
    std::stop_source named;
    processor::Threads threads;
    threads.start("a-good-name", [&](const std::stop_token& stop) {
        untilStopped(named.get_token()); // the name is set once start() has returned
        std::getline(std::ifstream{"/proc/thread-self/comm"}, seen);
        untilStopped(stop);
    });
    named.request_stop();
    threads.requestStop();
    QVERIFY(threads.join(10s));
    QCOMPARE(seen, std::string{"a-good-name"});
}

} // namespace

QTEST_APPLESS_MAIN(TestThreads)
#include "tst_threads.moc"
