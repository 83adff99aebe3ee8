// A letter that PostgreSQL refuses: one copy in Redis, or all of it in the log; the event stays.

#include "processor/settle/letter_copier.h"
#include "tests/processor/watch/drain_bench.h"
#include "tests/support/require.h"
#include "tests/support/stack.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryFile>
#include <QTest>
#include <unistd.h>

namespace {

constexpr const char* kRefuseLetters = R"(
    CREATE FUNCTION refuse_letters() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE check_violation USING MESSAGE = 'no letters today', CONSTRAINT = 'none'; END $$;
    CREATE TRIGGER refuse_letters BEFORE INSERT ON dead_letter_queue FOR EACH ROW
        EXECUTE FUNCTION refuse_letters())";

// The journal does not take it: the event fails whenever it is tried.
constexpr const char* kRefuseJournal = R"(
    CREATE FUNCTION refuse_journal() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE check_violation USING MESSAGE = 'no journal today', CONSTRAINT = 'none'; END $$;
    CREATE TRIGGER refuse_journal BEFORE INSERT ON balance_events FOR EACH ROW
        EXECUTE FUNCTION refuse_journal())";

class TestLetterCopies : public QObject
{
    Q_OBJECT

private slots:
    void oneCopyHoweverOftenPostgresRefuses();
    void theCopyIsTheLetterThatIsWrittenLater();
    void anotherAttemptIsAnotherCopy();
    void somebodyInTheWayIsNoRefusal();
    void withoutRedisTheWholeLetterStandsInTheLog();
    void aLetterThatWasLoggedStillGoesToRedis();
    void everyFailedAttemptIsKept();

private:
    void useRedis(const std::string& url);

    support::TestStack m_stack;
    base::Alerter m_alerter;
    base::Metrics m_metrics;
    std::unique_ptr<settle::LetterCopier> m_copier;
    const settle::LetterRefused m_onRefused
        = [this](const settle::RefusedLetter& refused) { return m_copier->copy(refused); };
};

// An event that fails for the sixth time, again and again, as a settler would have it.
class Failing
{
public:
    Failing(DrainBench& bench, settle::LetterRefused onRefused)
        : m_connection{bench.database().connect("countersign_processor")}
        , m_lone{m_reader, m_writer, std::move(onRefused)}
    {}

    bool fail(std::int64_t no, int attempts = 5)
    {
        const settle::Work work{domain::EventNo{no}, domain::UserId{1}, attempts};
        const auto result = m_lone.countAttempt(m_connection, work,
            {base::ErrorKind::Invalid, "settle_write_journal: no journal today", "23514", "none"});
        return result && result->ending == settle::LoneEnding::Failed;
    }

private:
    pg::Connection m_connection;
    store::PaymentLog m_log{"test"};
    settle::BatchReader m_reader{"1.0"};
    settle::BatchWriter m_writer{m_log};
    settle::LoneEvent m_lone;
};

void TestLetterCopies::useRedis(const std::string& url)
{
    m_copier = std::make_unique<settle::LetterCopier>(
        redis::ClientOptions{.url = url}, base::Secret{kWebhookSecret}, m_alerter, m_metrics);
}

void TestLetterCopies::oneCopyHoweverOftenPostgresRefuses()
{
    DrainBench bench{m_stack};
    bench.database().run(kRefuseLetters);
    const auto no = bench.putExhausted("a");
    useRedis(m_stack.redisUrl());
    Failing failing{bench, m_onRefused};

    for (int i = 0; i < 5; ++i) (void)failing.fail(no);

    QCOMPARE(bench.list().size(), 1U);
    QCOMPARE(bench.events().state(no), std::string{"enqueued"});
    QCOMPARE(bench.events().count("event_queue"), 1);
    const auto entry = QJsonDocument::fromJson(QByteArray::fromStdString(bench.list().front()));
    QCOMPARE(entry["event_id"].toString(), "a");
    QCOMPARE(entry["amount"].toString(), "10");
    QCOMPARE(entry["failure"].toString(), "exhausted");
    QCOMPARE(entry["attempt"].toString(), "6");
    QCOMPARE(entry["error_class"].toString(), "23514");
    QVERIFY(entry["error"].toString().contains("no journal today"));
    QCOMPARE(entry["trace_id"].toString(), "trace-a");

    bench.database().run("DROP TRIGGER refuse_letters ON dead_letter_queue");
    QCOMPARE(bench.run().drained, 1);
    QCOMPARE(bench.events().state(no), std::string{"failed exhausted"});
    QCOMPARE(bench.events().complaints(), std::string{});
}

void TestLetterCopies::theCopyIsTheLetterThatIsWrittenLater()
{
    DrainBench bench{m_stack};
    bench.database().run(kRefuseLetters);
    const auto no = bench.putExhausted("a");
    useRedis(m_stack.redisUrl());
    Failing failing{bench, m_onRefused};
    (void)failing.fail(no);
    QCOMPARE(bench.list().size(), 1U);

    bench.database().run("DROP TRIGGER refuse_letters ON dead_letter_queue");
    QVERIFY(failing.fail(no));

    // The settler was faster than the drain, which then finds nothing to do.
    QCOMPARE(bench.events().count("dead_letter_queue"), 1);
    QCOMPARE(bench.run().drained, 1);
    QCOMPARE(bench.events().count("dead_letter_queue"), 1);
    QCOMPARE(bench.events().complaints(), std::string{});
}

void TestLetterCopies::anotherAttemptIsAnotherCopy()
{
    DrainBench bench{m_stack};
    bench.database().run(kRefuseLetters);
    const auto no = bench.putExhausted("a");
    useRedis(m_stack.redisUrl());
    Failing failing{bench, m_onRefused};
    (void)failing.fail(no);
    bench.database().run("UPDATE event_queue SET attempts = 6"); // replayed, and failed again

    for (int i = 0; i < 3; ++i) (void)failing.fail(no, 6);

    QCOMPARE(bench.list().size(), 2U);
}

void TestLetterCopies::somebodyInTheWayIsNoRefusal()
{
    DrainBench bench{m_stack};
    const auto no = bench.putExhausted("a");
    auto holder = bench.database().connect();
    support::require(holder.runScript("BEGIN; LOCK TABLE dead_letter_queue IN EXCLUSIVE MODE"));
    useRedis(m_stack.redisUrl());
    Failing failing{bench, m_onRefused};

    (void)failing.fail(no);

    QCOMPARE(bench.list().size(), 0U);
    support::require(holder.runScript("ROLLBACK"));
    QVERIFY(failing.fail(no));
    QCOMPARE(bench.events().state(no), std::string{"failed exhausted"});
}

void TestLetterCopies::withoutRedisTheWholeLetterStandsInTheLog()
{
    DrainBench bench{m_stack};
    bench.database().run(kRefuseLetters);
    const auto no = bench.putExhausted("a");
    useRedis("unix:///nowhere/redis.sock");
    Failing failing{bench, m_onRefused};
    QTemporaryFile file;
    QVERIFY(file.open());
    const int saved = dup(STDERR_FILENO);
    dup2(file.handle(), STDERR_FILENO);

    for (int i = 0; i < 3; ++i) (void)failing.fail(no);

    dup2(saved, STDERR_FILENO);
    ::close(saved);
    QVERIFY(file.seek(0));
    QList<QJsonObject> told;
    for (const QByteArray& line : file.readAll().split('\n')) {
        const auto object = QJsonDocument::fromJson(line).object();
        if (object["message"] == "DLQ_UNRECOVERABLE") told << object;
    }
    QCOMPARE(told.size(), 1);
    const QJsonObject& line = told.front();
    QCOMPARE(line["level"].toString(), "critical");
    QCOMPARE(line["event_no"].toInteger(), no);
    QCOMPARE(line["event_id"].toString(), "a");
    QCOMPARE(line["user_id"].toInt(), 1);
    QCOMPARE(line["asset"].toString(), "ETH");
    QCOMPARE(line["amount"].toString(), "10");
    QCOMPARE(line["failure"].toString(), "exhausted");
    QCOMPARE(line["trace_id"].toString(), "trace-a");
    QVERIFY(line["error"].toString().contains("no journal today"));
    QCOMPARE(bench.events().state(no), std::string{"enqueued"});

    // The line's entry, pushed by hand, is as good as the copy would have been.
    bench.database().run("DROP TRIGGER refuse_letters ON dead_letter_queue");
    bench.push(line["entry"].toString().toStdString());
    QCOMPARE(bench.run().drained, 1);
    QCOMPARE(bench.database().value("SELECT letter_uid FROM dead_letter_queue"),
        line["letter_uid"].toString().toStdString());
}

void TestLetterCopies::aLetterThatWasLoggedStillGoesToRedis()
{
    DrainBench bench{m_stack};
    bench.database().run(kRefuseLetters);
    const auto no = bench.putExhausted("a");
    useRedis("unix:///nowhere/redis.sock");
    Failing failing{bench, m_onRefused};
    (void)failing.fail(no);

    useRedis(m_stack.redisUrl()); // it is back
    for (int i = 0; i < 3; ++i) (void)failing.fail(no);

    QCOMPARE(bench.list().size(), 1U);
}

void TestLetterCopies::everyFailedAttemptIsKept()
{
    DrainBench bench{m_stack};
    bench.database().run(kRefuseJournal);
    const auto no = bench.events().put({.id = "a"});
    const auto settler = bench.events().settler();
    for (int attempt = 1; attempt <= 6; ++attempt) {
        bench.events().settleAll(*settler);
        if (attempt < 6) bench.events().makeDue(no);
    }

    QCOMPARE(bench.events().state(no), std::string{"failed exhausted"});
    QCOMPARE(bench.database().value("SELECT string_agg(attempt::text, ' ' ORDER BY at)"
                                    " FROM event_attempts WHERE error LIKE '%no journal today%'"
                                    " AND error_class = '23514'"),
        std::string{"1 2 3 4 5"});
    QCOMPARE(bench.database().value("SELECT attempt FROM dead_letter_queue"), std::string{"6"});
    QCOMPARE(bench.database().value("SELECT count(DISTINCT cause) FROM (SELECT cause FROM"
                                    " event_attempts UNION SELECT cause FROM dead_letter_queue) c"),
        std::string{"1"});
    QVERIFY(bench.list().empty());
}

} // namespace

QTEST_GUILESS_MAIN(TestLetterCopies)
#include "tst_letter_copies.moc"
