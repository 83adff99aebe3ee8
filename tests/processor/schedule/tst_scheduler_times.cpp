// When a job is due: intervals, times of the day, and what changes about them.

#include "processor/schedule/scheduler.h"
#include "processor/store/partitions.h"
#include "tests/support/require.h"
#include "tests/support/stack.h"

#include <QTest>
#include <memory>

using namespace std::chrono_literals;
using schedule::Job;
using schedule::JobTime;
using schedule::Said;
using schedule::Scheduler;

namespace {

class TestSchedulerTimes : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { m_stack = std::make_unique<support::TestStack>(); }
    void init() { m_database = std::make_unique<support::Database>(m_stack->createDatabase()); }
    void aTimeOfTheDayIsThatOfItsZone_data();
    void aTimeOfTheDayIsThatOfItsZone();
    void afterItsRunADailyJobWaitsForTomorrow();
    void anIntervalBeginsWithTheFirstStart();
    void changedTimesCount_data();
    void changedTimesCount();
    void theCommandLineChangesNoTimes();
    void aZoneNobodyKnowsIsAnError();
    void partitionsLieAhead();

private:
    base::Result<bool> runOnce(JobTime time, const std::string& zone = "UTC", bool sets = true);
    std::string due(const std::string& condition);

    std::unique_ptr<support::TestStack> m_stack;
    std::unique_ptr<support::Database> m_database;
    base::Metrics m_metrics;
    base::Alerter m_alerter;
};

base::Result<bool> TestSchedulerTimes::runOnce(JobTime time, const std::string& zone, bool sets)
{
    const auto work = [](pg::Transaction&) -> Said { return std::string{}; };
    Scheduler scheduler{{.database = {.url = m_database->url(), .user = "countersign_processor"},
                            .timezone = zone,
                            .setsTimes = sets},
        {{.name = "job", .time = time, .work = schedule::ShortWork{work}}}, m_alerter, m_metrics};
    return scheduler.runOnce({});
}

std::string TestSchedulerTimes::due(const std::string& condition)
{
    return m_database->value("SELECT " + condition + " FROM jobs WHERE name = 'job'");
}

void TestSchedulerTimes::aTimeOfTheDayIsThatOfItsZone_data()
{
    QTest::addColumn<QString>("zone");
    QTest::addColumn<int>("minutes");
    QTest::addColumn<QString>("clock");

    QTest::newRow("four in the morning") << "UTC" << 240 << "04:00:00";
    QTest::newRow("midnight") << "UTC" << 0 << "00:00:00";
    QTest::newRow("the last minute") << "UTC" << 1439 << "23:59:00";
    QTest::newRow("in Berlin") << "Europe/Berlin" << 240 << "04:00:00";
    QTest::newRow("in Auckland") << "Pacific/Auckland" << 1439 << "23:59:00";
}

void TestSchedulerTimes::aTimeOfTheDayIsThatOfItsZone()
{
    QFETCH(QString, zone);
    QFETCH(int, minutes);
    QFETCH(QString, clock);
    const std::string name = zone.toStdString();

    // Never at its first start, unless that is its minute.
    QVERIFY(!support::require(runOnce({.dailyAt = std::chrono::minutes{minutes}}, name)));

    QCOMPARE(due("(next_due_at AT TIME ZONE '" + name + "')::time"), clock.toStdString());
    QCOMPARE(
        due("next_due_at > now() AND next_due_at <= now() + interval '25 h'"), std::string{"true"});
}

void TestSchedulerTimes::afterItsRunADailyJobWaitsForTomorrow()
{
    (void)support::require(runOnce({.dailyAt = 240min}));
    m_database->run("UPDATE jobs SET next_due_at = now() - interval '3 days'");

    QVERIFY(support::require(runOnce({.dailyAt = 240min})));

    // Three days missed are one run, not three.
    QVERIFY(!support::require(runOnce({.dailyAt = 240min})));
    QCOMPARE(due("(next_due_at AT TIME ZONE 'UTC')::time"), std::string{"04:00:00"});
    QCOMPARE(due("next_due_at > now()"), std::string{"true"});
}

void TestSchedulerTimes::anIntervalBeginsWithTheFirstStart()
{
    QVERIFY(support::require(runOnce({.every = 30s})));
    QVERIFY(!support::require(runOnce({.every = 30s})));
    QCOMPARE(due("next_due_at BETWEEN now() + interval '20 s' AND now() + interval '30 s'"),
        std::string{"true"});
}

void TestSchedulerTimes::changedTimesCount_data()
{
    QTest::addColumn<int>("seconds");
    QTest::addColumn<QString>("due");

    QTest::newRow("the same") << 3600 << "next_due_at > now() + interval '50 min'";
    QTest::newRow("more often") << 60 << "next_due_at <= now() + interval '60 s'";
    QTest::newRow("less often, but not before what is due")
        << 7200 << "next_due_at <= now() + interval '1 h'";
}

void TestSchedulerTimes::changedTimesCount()
{
    QFETCH(int, seconds);
    QFETCH(QString, due);
    QVERIFY(support::require(runOnce({.every = 1h})));

    QVERIFY(!support::require(runOnce({.every = std::chrono::seconds{seconds}})));

    QCOMPARE(this->due(due.toStdString()), std::string{"true"});
    QCOMPARE(this->due("extract(epoch FROM every)::bigint"), std::to_string(seconds));
}

void TestSchedulerTimes::theCommandLineChangesNoTimes()
{
    QVERIFY(support::require(runOnce({.every = 1h})));
    QVERIFY(!support::require(runOnce({.dailyAt = 240min}, "UTC", false)));
    QCOMPARE(due("every"), std::string{"01:00:00"});
}

void TestSchedulerTimes::aZoneNobodyKnowsIsAnError()
{
    const auto ran = runOnce({.dailyAt = 240min}, "Europe/Atlantis");
    QVERIFY(!ran);
    QVERIFY(ran.error().message.find("Atlantis") != std::string::npos);
}

void TestSchedulerTimes::partitionsLieAhead()
{
    std::vector<std::int64_t> made;
    const auto work = [&](pg::Transaction& transaction) -> Said {
        made.push_back(support::require(store::makePartitions(transaction)));
        return std::string{};
    };
    Scheduler scheduler{{.database = {.url = m_database->url(), .user = "countersign_processor"}},
        {{.name = "job", .time = {.every = 1h}, .work = schedule::ShortWork{work}}}, m_alerter,
        m_metrics};
    QVERIFY(support::require(scheduler.runOnce({})));
    // The sequence of event numbers reaches its third partition.
    m_database->run("SELECT setval('event_no_seq', 10000001)");
    for (int i = 0; i < 2; ++i) {
        support::require(scheduler.ask("job"));
        QVERIFY(support::require(scheduler.runOnce({})));
    }

    // Two more for each table that is cut by event_no.
    QCOMPARE(made, (std::vector<std::int64_t>{0, 4, 0}));
    QCOMPARE(m_database->value("SELECT to_regclass('payment_events_p000004')"),
        std::string{"payment_events_p000004"});
}

} // namespace

QTEST_GUILESS_MAIN(TestSchedulerTimes)
#include "tst_scheduler_times.moc"
