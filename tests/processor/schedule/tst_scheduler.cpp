// Each job once, whoever else is there, and whatever becomes of it.

#include "processor/schedule/scheduler.h"
#include "tests/support/require.h"
#include "tests/support/stack.h"
#include "tests/support/wait.h"

#include <QTest>
#include <atomic>
#include <barrier>
#include <memory>
#include <set>
#include <thread>

using namespace std::chrono_literals;
using schedule::Job;
using schedule::LeasedWork;
using schedule::Said;
using schedule::Scheduler;
using schedule::ShortWork;

namespace {

const pg::Statement kMark{"test_mark", "INSERT INTO marks VALUES (1)"};

base::Error someError()
{
    return {base::ErrorKind::Invalid, "that was nothing"};
}

class TestScheduler : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { m_stack = std::make_unique<support::TestStack>(); }
    void init();
    void twoSchedulersRunAJobOnce_data();
    void twoSchedulersRunAJobOnce();
    void nobodyWaitsForAShortJob();
    void nobodyWaitsForALeasedJob();
    void aLeaseThatRanOutGoesToTheNext();
    void aFailingJobAlertsAndIsTriedAtItsNextTime_data();
    void aFailingJobAlertsAndIsTriedAtItsNextTime();
    void whatAFailedShortJobWroteIsGone();
    void whatWasDoneIsWrittenDown();
    void whereAWalkEndedIsRemembered();
    void askedForAJobIsDue();
    void atOnceWhateverItsTime();
    void afterAnOutageSomeAreDueAtOnce();

private:
    [[nodiscard]] Scheduler scheduler(std::vector<Job> jobs);
    std::string column(const std::string& name);

    std::unique_ptr<support::TestStack> m_stack;
    std::unique_ptr<support::Database> m_database;
    base::Metrics m_metrics;
    std::unique_ptr<base::Alerter> m_alerter;
    std::set<std::string> m_alerts;
};

Job shortJob(ShortWork work)
{
    return {.name = "job", .time = {.every = 1h}, .work = std::move(work)};
}

Job leasedJob(LeasedWork work)
{
    return {.name = "job", .time = {.every = 1h}, .work = std::move(work)};
}

void TestScheduler::init()
{
    m_database = std::make_unique<support::Database>(m_stack->createDatabase());
    m_database->run("CREATE TABLE marks (n integer); GRANT ALL ON marks TO countersign_processor");
    m_alerts.clear();
    m_alerter = std::make_unique<base::Alerter>();
    m_alerter->addSink([this](const base::Alert& alert) { m_alerts.insert(alert.key); });
}

Scheduler TestScheduler::scheduler(std::vector<Job> jobs)
{
    return Scheduler{{.database = {.url = m_database->url(), .user = "countersign_processor"}},
        std::move(jobs), *m_alerter, m_metrics};
}

std::string TestScheduler::column(const std::string& name)
{
    return m_database->value("SELECT " + name + " FROM jobs WHERE name = 'job'");
}

void TestScheduler::twoSchedulersRunAJobOnce_data()
{
    QTest::addColumn<bool>("leased");
    QTest::newRow("a short job") << false;
    QTest::newRow("a leased job") << true;
}

void TestScheduler::twoSchedulersRunAJobOnce()
{
    QFETCH(bool, leased);
    std::atomic<int> runs{0};
    const auto job = leased ? leasedJob([&](store::JobLease&, const std::stop_token&) -> Said {
        ++runs;
        return std::string{};
    })
                            : shortJob([&](pg::Transaction&) -> Said {
                                  ++runs;
                                  return std::string{};
                              });
    for (int round = 1; round <= 10; ++round) {
        std::barrier together{4};
        std::vector<std::jthread> threads;
        for (int i = 0; i < 4; ++i) {
            threads.emplace_back([&] {
                Scheduler one = scheduler({job});
                together.arrive_and_wait();
                while (support::require(one.runOnce({}))) {}
            });
        }
        threads.clear();
        QCOMPARE(runs.load(), round);
        m_database->run("UPDATE jobs SET next_due_at = now()");
    }
}

void TestScheduler::nobodyWaitsForAShortJob()
{
    Scheduler other = scheduler({shortJob([](pg::Transaction&) -> Said { return someError(); })});
    bool othersTurn = true;
    Scheduler one = scheduler({shortJob([&](pg::Transaction&) -> Said {
        othersTurn = support::require(other.runOnce({}));
        return std::string{};
    })});

    QVERIFY(support::require(one.runOnce({})));

    QVERIFY(!othersTurn);
    QVERIFY(!support::require(other.runOnce({})));
}

void TestScheduler::nobodyWaitsForALeasedJob()
{
    const auto never = [](store::JobLease&, const std::stop_token&) -> Said { return someError(); };
    Scheduler other = scheduler({leasedJob(never)});
    bool othersTurn = true;
    Scheduler one = scheduler({leasedJob([&](store::JobLease&, const std::stop_token&) -> Said {
        m_database->run("UPDATE jobs SET next_due_at = now()");
        othersTurn = support::require(other.runOnce({}));
        return std::string{};
    })});

    QVERIFY(support::require(one.runOnce({})));

    QVERIFY(!othersTurn);
    QCOMPARE(column("lease_token"), std::string{});
    QCOMPARE(column("last_result"), std::string{"ok"});
}

void TestScheduler::aLeaseThatRanOutGoesToTheNext()
{
    int others = 0;
    Scheduler other
        = scheduler({leasedJob([&](store::JobLease& lease, const std::stop_token&) -> Said {
              ++others;
              pg::Transaction transaction{lease.connection()};
              lease.addCheck(transaction);
              const auto checked = support::require(transaction.send());
              if (const auto held = store::JobLease::checked(checked.front()); !held)
                  return held.error();
              support::require(transaction.commit());
              return std::string{"mine"};
          })});
    base::Result<std::string> first = std::string{};
    Scheduler frozen
        = scheduler({leasedJob([&](store::JobLease& lease, const std::stop_token&) -> Said {
              m_database->run("UPDATE jobs SET next_due_at = now(), lease_until = now()");
              (void)support::require(other.runOnce({}));
              pg::Transaction transaction{lease.connection()};
              lease.addCheck(transaction);
              const auto checked = support::require(transaction.send());
              const auto held = store::JobLease::checked(checked.front());
              first = held ? Said{std::string{"mine"}} : Said{held.error()};
              return first;
          })});

    QVERIFY(support::require(frozen.runOnce({})));

    QCOMPARE(others, 1);
    QVERIFY(!first);
    QCOMPARE(first.error().code, std::string{store::kLeaseLost});
    // And it did not write over what the other one wrote.
    QCOMPARE(column("last_said"), std::string{"mine"});
    QCOMPARE(column("last_result"), std::string{"ok"});
}

void TestScheduler::aFailingJobAlertsAndIsTriedAtItsNextTime_data()
{
    twoSchedulersRunAJobOnce_data();
}

void TestScheduler::aFailingJobAlertsAndIsTriedAtItsNextTime()
{
    QFETCH(bool, leased);
    int runs = 0;
    const auto job = leased ? leasedJob([&](store::JobLease&, const std::stop_token&) -> Said {
        ++runs;
        return someError();
    })
                            : shortJob([&](pg::Transaction&) -> Said {
                                  ++runs;
                                  return someError();
                              });
    Scheduler one = scheduler({job});

    QVERIFY(support::require(one.runOnce({})));

    QVERIFY(m_alerts.contains("job_failed:job"));
    QCOMPARE(column("last_result"), std::string{"failed"});
    QCOMPARE(column("last_error"), std::string{"that was nothing"});
    QCOMPARE(column("lease_token"), std::string{});
    QVERIFY(!support::require(one.runOnce({}))); // not before its time
    QCOMPARE(column("next_due_at BETWEEN now() + interval '59 min' AND now() + interval '1 h'"),
        std::string{"true"});
    m_database->run("UPDATE jobs SET next_due_at = now()");
    QVERIFY(support::require(one.runOnce({})));
    QCOMPARE(runs, 2);
}

void TestScheduler::whatAFailedShortJobWroteIsGone()
{
    bool fails = true;
    Scheduler one = scheduler({shortJob([&](pg::Transaction& transaction) -> Said {
        transaction.add(kMark);
        support::require(transaction.send());
        if (fails) return someError();
        return std::string{"marked"};
    })});

    QVERIFY(support::require(one.runOnce({})));
    QCOMPARE(m_database->value("SELECT count(*) FROM marks"), std::string{"0"});

    fails = false;
    m_database->run("UPDATE jobs SET next_due_at = now()");
    QVERIFY(support::require(one.runOnce({})));
    QCOMPARE(m_database->value("SELECT count(*) FROM marks"), std::string{"1"});
    QCOMPARE(column("last_error"), std::string{});
}

void TestScheduler::whatWasDoneIsWrittenDown()
{
    Scheduler one = scheduler({leasedJob([](store::JobLease&, const std::stop_token&) -> Said {
        return std::string{"counted 3"};
    })});

    QVERIFY(support::require(one.runOnce({})));

    QCOMPARE(column("last_said"), std::string{"counted 3"});
    QCOMPARE(column("last_started_at <= last_finished_at"), std::string{"true"});
}

void TestScheduler::whereAWalkEndedIsRemembered()
{
    std::vector<std::int64_t> seen;
    const auto walk = [&](store::JobLease& lease, const std::stop_token&) -> Said {
        seen.push_back(lease.walkedTo());
        lease.walkTo(lease.walkedTo() + 100);
        return std::string{};
    };
    for (int i = 0; i < 3; ++i) {
        Scheduler one = scheduler({leasedJob(walk)}); // another process each time
        QVERIFY(support::require(one.runOnce({})));
        m_database->run("UPDATE jobs SET next_due_at = now()");
    }
    QCOMPARE(seen, (std::vector<std::int64_t>{0, 100, 200}));
}

void TestScheduler::askedForAJobIsDue()
{
    int runs = 0;
    Scheduler one = scheduler({leasedJob([&](store::JobLease&, const std::stop_token&) -> Said {
        ++runs;
        return std::string{};
    })});
    QVERIFY(support::require(one.runOnce({})));
    QVERIFY(!support::require(one.runOnce({})));

    support::require(one.ask("job"));

    QVERIFY(support::require(one.runOnce({})));
    QCOMPARE(runs, 2);
}

void TestScheduler::atOnceWhateverItsTime()
{
    const auto work
        = [](store::JobLease&, const std::stop_token&) -> Said { return std::string{"done"}; };
    Scheduler one = scheduler({leasedJob(work)});
    QVERIFY(support::require(one.runOnce({})));

    QCOMPARE(support::require(one.runNow("job", {})), std::string{"done"});

    m_database->run("UPDATE jobs SET lease_token = gen_random_uuid(),"
                    " lease_until = now() + interval '1 minute'");
    const auto busy = one.runNow("job", {});
    QVERIFY(!busy);
    QVERIFY(busy.error().kind == base::ErrorKind::Conflict);
}

void TestScheduler::afterAnOutageSomeAreDueAtOnce()
{
    int ordinary = 0;
    int eager = 0;
    const auto counting = [](int& counter) {
        return LeasedWork{[&counter](store::JobLease&, const std::stop_token&) -> Said {
            ++counter;
            return std::string{};
        }};
    };
    Scheduler one
        = scheduler({{.name = "ordinary", .time = {.every = 1h}, .work = counting(ordinary)},
            {.name = "eager",
                .time = {.every = 1h},
                .work = counting(eager),
                .isDueAfterOutage = true}});
    while (support::require(one.runOnce({}))) {}
    QCOMPARE(eager, 1);

    m_stack->stores().hold(embedded::Store::Postgres);
    QVERIFY(!one.runOnce({}));
    QVERIFY(!one.runOnce({}));
    support::require(m_stack->stores().release(embedded::Store::Postgres));
    while (support::require(one.runOnce({}))) {}

    QCOMPARE(eager, 2);
    QCOMPARE(ordinary, 1);
}

} // namespace

QTEST_GUILESS_MAIN(TestScheduler)
#include "tst_scheduler.moc"
