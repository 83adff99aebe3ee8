#include "processor/dispatch/dispatcher.h"
#include "tests/support/stack.h"
#include "tests/support/wait.h"

#include <QTest>
#include <atomic>
#include <chrono>
#include <thread>

using namespace std::chrono_literals;
using dispatch::Dispatcher;

// What waited and is due becomes work, once, with its line in the log; nobody's trouble is shared.
class TstDispatcher : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { m_stack = std::make_unique<support::TestStack>(); }
    void init();
    void movesOnlyWhatIsDue_data();
    void movesOnlyWhatIsDue();
    void attemptsAndLaneAreKept();
    void lineOfTheLogCarriesTheEvent();
    void batchesAreBounded();
    void twoDispatchersShareTheWork();
    void lockedRowIsLeftForTheNextRound();
    void oneThatFailsDoesNotTakeItsBatchWithIt();
    void waitWithoutEventIsSetAside();
    void oneThatStandsInTheQueueAlreadyIsNotAnnouncedTwice();
    void runsUntilStoppedAndWakesSettlers();

private:
    pg::ConnectOptions connect() const
    {
        pg::ConnectOptions options;
        options.url = m_database->url();
        options.user = "countersign_processor";
        return options;
    }
    // Events first…last of users 1…50, waiting until `due`.
    void wait(int first, int last, const std::string& due, const std::string& reason = "retry")
    {
        const std::string range = std::to_string(first) + ", " + std::to_string(last);
        m_database->run("INSERT INTO payment_events (event_no, event_id, event_type, source, "
                        "user_id, asset, amount, merchant_id, trace_id) SELECT n, 'ev-' || n, "
                        "'deposit', 'payments', 1 + n % 50, 'ETH', 1.5, nullif('m-' || n % 3, "
                        "'m-0'), 'tr-' || n FROM generate_series("
            + range
            + ") AS n; INSERT INTO event_waits (event_no, user_id, lane, reason, attempts, due_at) "
              "SELECT n, 1 + n % 50, (1 + n % 50) % 64, '"
            + reason + "', 2, " + due + " FROM generate_series(" + range + ") AS n");
    }
    std::string count(const std::string& table)
    {
        return m_database->value("SELECT count(*) FROM " + table);
    }
    Dispatcher makeDispatcher(std::function<void()> onEnqueued = {})
    {
        return Dispatcher{{.database = connect(), .onEnqueued = std::move(onEnqueued)}, *m_log,
            *m_alerter, *m_metrics};
    }

    std::unique_ptr<support::TestStack> m_stack;
    std::unique_ptr<support::Database> m_database;
    std::unique_ptr<store::PaymentLog> m_log;
    std::unique_ptr<base::Alerter> m_alerter;
    std::unique_ptr<base::Metrics> m_metrics;
    std::vector<std::string> m_alerts;
};

void TstDispatcher::init()
{
    m_database = std::make_unique<support::Database>(m_stack->createDatabase());
    m_log = std::make_unique<store::PaymentLog>("test");
    m_alerter = std::make_unique<base::Alerter>();
    m_alerts.clear();
    m_alerter->addSink([this](const base::Alert& alert) { m_alerts.push_back(alert.key); });
    m_metrics = std::make_unique<base::Metrics>();
}

void TstDispatcher::movesOnlyWhatIsDue_data()
{
    QTest::addColumn<QString>("reason");
    QTest::addColumn<QString>("due");
    QTest::addColumn<int>("moved");

    QTest::newRow("retry due now") << "retry"
                                   << "now()" << 1;
    QTest::newRow("retry due in an hour") << "retry"
                                          << "now() + interval '1 hour'" << 0;
    QTest::newRow("original due a minute ago") << "original"
                                               << "now() - interval '1 min'" << 1;
    QTest::newRow("replay due now") << "replay"
                                    << "now()" << 1;
    QTest::newRow("finality not known") << "finality"
                                        << "'infinity'" << 0;
    QTest::newRow("finality reached") << "finality"
                                      << "now()" << 1;
}

void TstDispatcher::movesOnlyWhatIsDue()
{
    QFETCH(QString, reason);
    QFETCH(QString, due);
    QFETCH(int, moved);
    wait(1, 1, due.toStdString(), reason.toStdString());
    auto dispatcher = makeDispatcher();

    const auto done = dispatcher.runOnce();

    QVERIFY2(done, done ? "" : done.error().message.c_str());
    QCOMPARE(static_cast<int>(*done), moved);
    QCOMPARE(count("event_queue"), std::to_string(moved));
    QCOMPARE(count("event_waits"), std::to_string(1 - moved));
    QCOMPARE(count("payment_log"), std::to_string(moved));
}

void TstDispatcher::attemptsAndLaneAreKept()
{
    wait(70, 70, "now()");
    auto dispatcher = makeDispatcher();

    QCOMPARE(*dispatcher.runOnce(), std::size_t{1});

    QCOMPARE(m_database->table("SELECT event_no, user_id, lane, attempts FROM event_queue"),
        "(70,21,21,2)");
}

void TstDispatcher::lineOfTheLogCarriesTheEvent()
{
    wait(1, 3, "now()");
    auto dispatcher = makeDispatcher();

    QCOMPARE(*dispatcher.runOnce(), std::size_t{3});

    QCOMPARE(
        m_database->table("SELECT no, event_no, kind, actor, trace_id, payment_id, event_type, "
                          "user_id, merchant_id, asset, trim_scale(amount) FROM payment_log "
                          "ORDER BY no"),
        "(1,1,payment.enqueued,test,tr-1,ev-1,deposit,2,m-1,ETH,1.5)\n"
        "(2,2,payment.enqueued,test,tr-2,ev-2,deposit,3,m-2,ETH,1.5)\n"
        "(3,3,payment.enqueued,test,tr-3,ev-3,deposit,4,,ETH,1.5)");
}

void TstDispatcher::batchesAreBounded()
{
    wait(1, 1'200, "now()");
    auto dispatcher = makeDispatcher();

    QCOMPARE(*dispatcher.runOnce(), std::size_t{500});
    QCOMPARE(*dispatcher.runOnce(), std::size_t{500});
    QCOMPARE(*dispatcher.runOnce(), std::size_t{200});
    QCOMPARE(*dispatcher.runOnce(), std::size_t{0});

    QCOMPARE(count("event_queue"), "1200");
    QCOMPARE(m_database->value("SELECT max(no) FROM payment_log"), "1200");
}

void TstDispatcher::twoDispatchersShareTheWork()
{
    wait(1, 6'000, "now()");
    std::vector<std::jthread> threads;
    for (int i = 0; i < 2; ++i) {
        threads.emplace_back([this] {
            auto dispatcher = makeDispatcher();
            for (auto moved = dispatcher.runOnce(); !moved || *moved > 0;) {
                moved = dispatcher.runOnce();
            }
        });
    }
    threads.clear();

    QCOMPARE(count("event_queue"), "6000");
    QCOMPARE(count("event_waits"), "0");
    QCOMPARE(m_database->value("SELECT count(DISTINCT event_no) FROM payment_log"), "6000");
    QCOMPARE(m_database->value("SELECT max(no) FROM payment_log"), "6000");
}

void TstDispatcher::lockedRowIsLeftForTheNextRound()
{
    wait(1, 5, "now()");
    auto other = m_database->connect();
    QVERIFY(other.runScript("BEGIN; SELECT 1 FROM event_waits WHERE event_no = 3 FOR UPDATE"));
    auto dispatcher = makeDispatcher();

    QCOMPARE(*dispatcher.runOnce(), std::size_t{4});
    QCOMPARE(*dispatcher.runOnce(), std::size_t{0});
    QVERIFY(other.runScript("COMMIT"));
    QCOMPARE(*dispatcher.runOnce(), std::size_t{1});
}

void TstDispatcher::oneThatFailsDoesNotTakeItsBatchWithIt()
{
    wait(1, 300, "now()");
    m_database->run("ALTER TABLE event_queue ADD CONSTRAINT no_77 CHECK (event_no <> 77)");
    auto dispatcher = makeDispatcher();

    for (int round = 0; round < 30; ++round) (void)dispatcher.runOnce();

    QCOMPARE(count("event_queue"), "299");
    QCOMPARE(m_database->value("SELECT event_no FROM event_waits"), "77");
    QCOMPARE(m_alerts, std::vector<std::string>{"dispatch_failed:77"});
    QCOMPARE(*dispatcher.runOnce(), std::size_t{0}); // set aside: not tried each round
}

void TstDispatcher::waitWithoutEventIsSetAside()
{
    wait(1, 3, "now()");
    m_database->run(
        "INSERT INTO event_waits (event_no, user_id, lane, reason, due_at) VALUES (9, 1, "
        "1, 'retry', now() - interval '1 hour')");
    auto dispatcher = makeDispatcher();

    QCOMPARE(*dispatcher.runOnce(), std::size_t{3});
    QCOMPARE(*dispatcher.runOnce(), std::size_t{0});

    QCOMPARE(count("event_waits"), "1");
    QCOMPARE(m_alerts, std::vector<std::string>{"dispatch_failed:9"});
}

void TstDispatcher::oneThatStandsInTheQueueAlreadyIsNotAnnouncedTwice()
{
    wait(1, 2, "now()");
    m_database->run(
        "INSERT INTO event_queue (event_no, user_id, lane, attempts) VALUES (2, 3, 3, 0)");
    auto dispatcher = makeDispatcher();

    QCOMPARE(*dispatcher.runOnce(), std::size_t{2});

    QCOMPARE(
        m_database->table("SELECT event_no, attempts FROM event_queue ORDER BY 1"), "(1,2)\n(2,0)");
    QCOMPARE(count("event_waits"), "0");
    QCOMPARE(m_database->value("SELECT string_agg(event_no::text, ',') FROM payment_log"), "1");
}

void TstDispatcher::runsUntilStoppedAndWakesSettlers()
{
    base::Progress progress;
    base::Wakeup wakeup;
    auto& pulse = progress.add("dispatch", 10s);
    std::atomic<int> woken = 0;
    auto dispatcher = makeDispatcher([&woken] { ++woken; });
    std::jthread thread{[&](const std::stop_token& stop) { dispatcher.run(stop, wakeup, pulse); }};

    wait(1, 700, "now()");
    wakeup.notify();

    QVERIFY(support::waitUntil([&] { return count("event_queue") == "700"; }, 10s));
    wait(701, 701, "now() + interval '300 ms'"); // polling finds it
    QVERIFY(support::waitUntil([&] { return count("event_queue") == "701"; }, 10s));
    QVERIFY(woken >= 3);
}

QTEST_GUILESS_MAIN(TstDispatcher)
#include "tst_dispatcher.moc"
