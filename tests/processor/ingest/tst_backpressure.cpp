// Intake slows down in time, says so, and goes on by itself.

#include "processor/ingest/backlog_sampler.h"
#include "tests/processor/ingest/intaking.h"
#include "tests/support/stack.h"
#include "tests/support/wait.h"

#include <QTest>
#include <memory>

using namespace std::chrono_literals;

class TestBackpressure : public QObject
{
    Q_OBJECT

    std::unique_ptr<support::TestStack> m_stack;
    std::unique_ptr<support::Database> m_database;

    ingest::BacklogSampler sampler(Intaking& intaking) const
    {
        return {
            {.url = m_database->url(), .user = "countersign_processor"}, intaking.intake().gate()};
    }

private slots:
    void initTestCase() { m_stack = std::make_unique<support::TestStack>(); }
    void init()
    {
        m_database = std::make_unique<support::Database>(m_stack->createDatabase());
        m_database->addUsers(1, 3);
    }

    void tooMuchWorkIsAnsweredByComeBackLater_data()
    {
        QTest::addColumn<QString>("more"); // after three events
        QTest::addColumn<QString>("less");

        const QString queued{
            "INSERT INTO event_queue (event_no, user_id, lane) VALUES (900, 1, 1)"};
        const QString waiting{"INSERT INTO event_waits (event_no, user_id, lane, reason, due_at)"
                              " VALUES (900, 1, 1, '%1', now() + interval '1 hour')"};
        QTest::newRow("the queue grows") << queued << "DELETE FROM event_queue";
        QTest::newRow("retries grow") << waiting.arg("retry") << "DELETE FROM event_queue";
    }
    void tooMuchWorkIsAnsweredByComeBackLater()
    {
        QFETCH(QString, more);
        QFETCH(QString, less);
        Intaking intaking{{.databaseUrl = m_database->url(), .gate = {.backlogMax = 3}}};
        auto sampling = sampler(intaking);
        auto sender = intaking.sender();
        for (const char* id : {"a", "b", "c"}) {
            QCOMPARE(support::require(sender.send({.eventId = id})).status, 200);
        }
        support::require(sampling.runOnce());
        QCOMPARE(support::require(sender.send({.eventId = "a"})).status, 200); // at the limit
        m_database->run(more.toStdString());

        support::require(sampling.runOnce());

        const auto answer = support::require(sender.send({.eventId = "d"}));
        QCOMPARE(answer.status, 503);
        QCOMPARE(answer.word, std::string{"unavailable"});
        QVERIFY(!answer.retryAfter.empty());
        QVERIFY(intaking.hasAlert("intake_backpressure"));
        QCOMPARE(m_database->value("SELECT count(*) FROM payment_events"), std::string{"3"});
        m_database->run(less.toStdString());
        support::require(sampling.runOnce());
        QCOMPARE(support::require(sender.send({.eventId = "d"})).word, std::string{"accepted"});
    }

    void whatWaitsForAChainIsNoBacklog()
    {
        Intaking intaking{{.databaseUrl = m_database->url(), .gate = {.backlogMax = 3}}};
        auto sampling = sampler(intaking);
        m_database->run("INSERT INTO event_waits (event_no, user_id, lane, reason, due_at)"
                        " SELECT n, 1, 1, 'finality', 'infinity' FROM generate_series(1, 10) n");

        QCOMPARE(support::require(sampling.runOnce()), 0);

        QCOMPARE(support::require(intaking.sender().send({.eventId = "a"})).status, 200);
    }

    void slowCommitsCloseItForAMoment()
    {
        Intaking intaking{{.databaseUrl = m_database->url(), .gate = {.commitMax = 300ms}}};
        auto sender = intaking.sender();
        QCOMPARE(support::require(sender.send({.eventId = "a"})).status, 200);
        auto holder = m_database->connect();
        support::require(holder.runScript("BEGIN; SELECT FROM log_tail FOR UPDATE"));
        std::jthread release{[&] {
            const auto begun = std::chrono::steady_clock::now();
            (void)support::waitUntil(
                [&] { return std::chrono::steady_clock::now() - begun > 600ms; }, 5s);
            support::require(holder.runScript("COMMIT"));
        }};

        // It waits for the commit and is kept: slow is not lost.
        QCOMPARE(support::require(sender.send({.eventId = "b"})).word, std::string{"accepted"});

        QCOMPARE(support::require(sender.send({.eventId = "c"})).status, 503);
        QVERIFY(support::waitUntil(
            [&] { return support::require(sender.send({.eventId = "c"})).status == 200; }, 10s));
        QCOMPARE(m_database->value("SELECT count(*) FROM payment_events"), std::string{"3"});
    }
};

QTEST_GUILESS_MAIN(TestBackpressure)
#include "tst_backpressure.moc"
