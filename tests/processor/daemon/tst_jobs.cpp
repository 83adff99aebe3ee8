// The jobs of a process that watches, by its own clock.

#include "processor/config/load.h"
#include "processor/daemon/jobs.h"
#include "processor/store/letter_copy.h"
#include "tests/support/require.h"
#include "tests/support/stack.h"
#include "tests/support/wait.h"

#include <QTest>
#include <atomic>
#include <memory>
#include <thread>

using namespace std::chrono_literals;

namespace {

class TestJobs : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void eachRunsAtTheFirstStart();
    void timesAreThoseOfTheSettings();
    void lettersInRedisMakeTheDrainDue();
    void instancesDeadForADayAreForgotten();
    void withoutRedisTheOthersGoOn();
    void lostWorkWakesTheSettlers();

private:
    void start(const std::vector<std::string>& arguments = {}, const std::string& redisUrl = {});
    bool haveAllRun();

    support::TestStack m_stack;
    std::unique_ptr<support::Database> m_database;
    store::PaymentLog m_log{"jobs"};
    base::Alerter m_alerter;
    base::Metrics m_metrics;
    base::Progress m_progress;
    std::atomic<int> m_wakes{0};
    std::optional<config::Settings> m_settings;
    std::unique_ptr<processor::Jobs> m_jobs;
    std::jthread m_thread;
};

void TestJobs::init()
{
    m_database = std::make_unique<support::Database>(m_stack.createDatabase());
    (void)m_stack.connectRedis(true);
    m_wakes = 0;
}

void TestJobs::cleanup()
{
    m_thread = {};
    m_jobs.reset();
}

void TestJobs::start(const std::vector<std::string>& arguments, const std::string& redisUrl)
{
    std::vector<std::string> words{"serve", "--database-url", m_database->url()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    auto loaded = config::load(words, [this](std::string_view name) {
        return name == "WEBHOOK_SECRET" ? std::optional{m_stack.secret()} : std::nullopt;
    });
    const auto* request = std::get_if<config::Request>(&loaded);
    QVERIFY(request != nullptr);
    m_settings = request->settings;
    const std::string redis = redisUrl.empty() ? m_stack.redisUrl() : redisUrl;
    m_jobs = std::make_unique<processor::Jobs>(*m_settings,
        processor::JobParts{.database = {.url = m_database->url(), .user = "countersign_processor"},
            .redisUrl = redis,
            .streamsUrl = redis,
            .webhookSecret = base::Secret{m_stack.secret()},
            .onWork = [this] { ++m_wakes; }},
        m_log, m_alerter, m_metrics);
    base::Pulse& pulse = m_progress.add("jobs", 60s);
    m_thread
        = std::jthread{[this, &pulse](const std::stop_token& stop) { m_jobs->run(stop, pulse); }};
}

// All but the drain, whose time is at night.
bool TestJobs::haveAllRun()
{
    return m_database->value("SELECT count(*) FROM jobs WHERE last_result = 'ok'") == "4";
}

void TestJobs::eachRunsAtTheFirstStart()
{
    start();

    QVERIFY(support::waitUntil([&] { return haveAllRun(); }, 20s));

    QCOMPARE(m_database->value("SELECT string_agg(name, ' ' ORDER BY name) FROM jobs"),
        std::string{"dlq_check dlq_drain janitor partitions recovery"});
    QCOMPARE(
        m_database->value("SELECT last_result FROM jobs WHERE name = 'dlq_drain'"), std::string{});
}

void TestJobs::timesAreThoseOfTheSettings()
{
    start({"--recovery-seconds", "7", "--janitor-seconds", "8", "--partitions-seconds", "9",
        "--drain-at", "05:30", "--schedule-timezone", "Asia/Tokyo"});

    QVERIFY(support::waitUntil([&] { return haveAllRun(); }, 20s));

    QCOMPARE(m_database->table("SELECT name, every, daily_at, timezone FROM jobs ORDER BY name"),
        std::string{"(dlq_check,00:01:00,,Asia/Tokyo)\n(dlq_drain,,05:30:00,Asia/Tokyo)\n"
                    "(janitor,00:00:08,,Asia/Tokyo)\n(partitions,00:00:09,,Asia/Tokyo)\n"
                    "(recovery,00:00:07,,Asia/Tokyo)"});
}

void TestJobs::lettersInRedisMakeTheDrainDue()
{
    auto redis = m_stack.connectRedis();
    support::require(redis.run({"RPUSH", store::kLetterList, "garbage"}));
    support::require(redis.run({"RPUSH", store::kDrainingList, "rubbish"}));

    start();

    QVERIFY(support::waitUntil(
        [&] { return m_database->value("SELECT count(*) FROM quarantine") == "2"; }, 20s));
    QVERIFY(support::waitUntil(
        [&] {
            return m_database->value("SELECT last_said FROM jobs WHERE name = 'dlq_drain'")
                == "drained 2, failed 0, 0 left";
        },
        20s));
}

void TestJobs::instancesDeadForADayAreForgotten()
{
    m_database->run("INSERT INTO processor_instances (instance, host, boot_id, roles, version,"
                    " heartbeat_at) VALUES ('old', 'h', 'b', '{}', '1', now() - interval '25 h'),"
                    " ('dead', 'h', 'b', '{}', '1', now() - interval '23 h')");

    start();

    QVERIFY(support::waitUntil([&] { return haveAllRun(); }, 20s));
    QCOMPARE(m_database->value("SELECT string_agg(instance, ' ') FROM processor_instances"),
        std::string{"dead"});
}

void TestJobs::withoutRedisTheOthersGoOn()
{
    start({}, "unix:///nowhere/redis.sock");

    QVERIFY(support::waitUntil([&] { return haveAllRun(); }, 20s));
    QVERIFY(m_database->value("SELECT last_said FROM jobs WHERE name = 'janitor'")
                .starts_with("nothing, without Redis"));
}

void TestJobs::lostWorkWakesTheSettlers()
{
    m_database->addUsers(1, 1);
    m_database->run("INSERT INTO payment_events (event_no, event_id, event_type, source, user_id,"
                    " asset, amount, trace_id, received_at) VALUES (1, 'e', 'deposit', 'payments',"
                    " 1, 'ETH', 1, 't', now() - interval '5 min')");

    start();

    QVERIFY(support::waitUntil([&] { return m_wakes == 1; }, 20s));
    QCOMPARE(m_database->value("SELECT event_no FROM event_queue"), std::string{"1"});
}

} // namespace

QTEST_GUILESS_MAIN(TestJobs)
#include "tst_jobs.moc"
