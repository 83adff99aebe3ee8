// Dead letters of a running installation: they come back from Redis, and people can read them.

#include "processor/store/letter_copy.h"
#include "tests/support/daemon.h"
#include "tests/support/process.h"
#include "tests/support/require.h"
#include "tests/support/stack.h"
#include "tests/support/wait.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <chrono>
#include <memory>

using namespace std::chrono_literals;

namespace {

struct Ended
{
    int status;
    std::string output;
    std::string complaint;

    [[nodiscard]] QJsonObject json() const
    {
        return QJsonDocument::fromJson(QByteArray::fromStdString(output)).object();
    }
};

class TestLetters : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void afterAnOutageLettersComeBackByThemselves();
    void aPersonBringsThemBack();
    void oneDrainAtATime();
    void theListGoesPageByPage();
    void aLetterShowsAllItsAttempts();
    void whatCannotBeShownIsSaid_data();
    void whatCannotBeShownIsSaid();

private:
    Ended run(const std::vector<std::string>& arguments);
    void putExhausted(int number);
    void pushCopy(int number);
    std::int64_t waiting();

    support::TestStack m_stack;
    std::unique_ptr<support::Database> m_database;
};

void TestLetters::init()
{
    m_database = std::make_unique<support::Database>(m_stack.createDatabase());
    m_database->addUsers(1, 5);
    (void)m_stack.connectRedis(true);
}

Ended TestLetters::run(const std::vector<std::string>& arguments)
{
    support::ProcessPlan plan{.program = support::binFolder() + "/countersignd",
        .arguments = arguments,
        .environment = {"DATABASE_URL_FILE", "DATABASE_DIRECT_URL", "WEBHOOK_SECRET",
            "DATABASE_URL=" + m_database->url(), "REDIS_URL=" + m_stack.redisUrl(),
            "WEBHOOK_SECRET_FILE=" + m_stack.secretFile()}};
    const auto process = support::require(support::Process::start(std::move(plan)));
    const int status = process->waitExit(60s).value_or(-1);
    return {status, process->output(), process->errorOutput()};
}

// Its five retries are used up.
void TestLetters::putExhausted(int number)
{
    const std::string no = std::to_string(number);
    m_database->run("INSERT INTO payment_events (event_no, event_id, event_type, source, user_id,"
                    " asset, amount, trace_id) VALUES ("
        + no + ", 'e-" + no + "', 'deposit', 'payments', 1, 'ETH', 10.5, 'trace-" + no + "');"
        + " INSERT INTO event_queue (event_no, user_id, lane, attempts) VALUES (" + no
        + ", 1, 1, 5)");
}

void TestLetters::pushCopy(int number)
{
    const std::string no = std::to_string(number);
    const store::LetterCopy copy{
        .uid = "00000000-0000-4000-8000-" + std::string(12 - no.size(), '0') + no,
        .no = domain::EventNo{number},
        .eventId = "e-" + no,
        .eventType = "deposit",
        .user = domain::UserId{1},
        .asset = "ETH",
        .amount = "10.5",
        .merchant = std::nullopt,
        .failure = domain::Failure::Exhausted,
        .error = "the disk was full",
        .errorClass = "53100",
        .cause = number % 2 == 0 ? "00000000000000ee" : "00000000000000dd",
        .attempt = 6,
        .traceId = "trace-" + no};
    const auto entry
        = store::writeLetterCopy(copy, store::letterKey(base::Secret{m_stack.secret()}));
    support::require(m_stack.connectRedis().run({"RPUSH", store::kLetterList, entry}));
}

std::int64_t TestLetters::waiting()
{
    auto redis = m_stack.connectRedis();
    return support::require(redis.run({"LLEN", store::kLetterList})).integer
        + support::require(redis.run({"LLEN", store::kDrainingList})).integer;
}

void TestLetters::afterAnOutageLettersComeBackByThemselves()
{
    putExhausted(1);
    const auto daemon = support::require(support::Daemon::start({.databaseUrl = m_database->url(),
        .redisUrl = m_stack.redisUrl(),
        .secretFile = m_stack.secretFile(),
        .roles = "watch"}));
    // Its first look at Redis is over; the next one is a minute away.
    QVERIFY(support::waitUntil(
        [&] {
            return m_database->value("SELECT count(*) FROM jobs WHERE last_result = 'ok'") == "4";
        },
        20s));
    pushCopy(1);
    const auto url = m_database->url();
    m_database.reset();

    m_stack.stores().hold(embedded::Store::Postgres);
    QVERIFY(support::waitUntil(
        [&] { return daemon->process().errorOutput().find("jobs wait") != std::string::npos; },
        20s));
    support::require(m_stack.stores().release(embedded::Store::Postgres));

    m_database = std::make_unique<support::Database>(url);
    QVERIFY(support::waitUntil([&] { return waiting() == 0; }, 20s));
    QCOMPARE(m_database->table("SELECT outcome, failure FROM payment_events"),
        std::string{"(failed,exhausted)"});
    QCOMPARE(m_database->table("SELECT event_id, state, attempt FROM dead_letter_queue"),
        std::string{"(e-1,open,6)"});
}

void TestLetters::aPersonBringsThemBack()
{
    const auto nothing = run({"letters", "drain"});
    QVERIFY2(nothing.status == 0, nothing.complaint.c_str());
    QCOMPARE(nothing.output, std::string{"no letters in Redis\n"});
    for (int number = 1; number <= 3; ++number) {
        putExhausted(number);
        pushCopy(number);
    }

    const auto drained = run({"letters", "drain", "--json"});

    QVERIFY2(drained.status == 0, drained.complaint.c_str());
    QCOMPARE(drained.json(),
        (QJsonObject{{"drained", 3}, {"failed", 0}, {"left", 0}, {"stopped_early", false}}));
    QCOMPARE(m_database->value("SELECT count(*) FROM dead_letter_queue"), std::string{"3"});
    // The daemon's own time for it is not the command's to change.
    QCOMPARE(m_database->value("SELECT daily_at FROM jobs WHERE name = 'dlq_drain'"),
        std::string{"04:00:00"});
}

void TestLetters::oneDrainAtATime()
{
    QCOMPARE(run({"letters", "drain"}).status, 0);
    m_database->run("UPDATE jobs SET lease_token = gen_random_uuid(),"
                    " lease_until = now() + interval '1 minute'");

    const auto busy = run({"letters", "drain"});

    QCOMPARE(busy.status, 75);
    QVERIFY(busy.complaint.find("running elsewhere") != std::string::npos);
}

void TestLetters::theListGoesPageByPage()
{
    for (int number = 1; number <= 5; ++number) {
        putExhausted(number);
        pushCopy(number);
    }
    QCOMPARE(run({"letters", "drain"}).status, 0);
    m_database->run("UPDATE dead_letter_queue SET state = 'discarded' WHERE event_no = 4");
    const auto events = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {"letters", "list", "--json"});
        QStringList ids;
        const auto listed = run(more).json();
        for (const QJsonValue letter : listed["letters"].toArray())
            ids << letter["event_id"].toString();
        const QJsonValue next = listed["next_after"];
        return ids.join(' ') + (next.isNull() ? "" : " +" + QString::number(next.toInteger()));
    };

    QCOMPARE(events({}), "e-5 e-4 e-3 e-2 e-1");
    QCOMPARE(events({"--limit", "2"}), "e-5 e-4 +4");
    QCOMPARE(events({"--limit", "2", "--after", "4"}), "e-3 e-2 +2");
    QCOMPARE(events({"--limit", "2", "--after", "2"}), "e-1");
    QCOMPARE(events({"--cause", "00000000000000ee"}), "e-4 e-2");
    QCOMPARE(events({"--state", "open", "--cause", "00000000000000ee"}), "e-2");
    QCOMPARE(events({"--cause", "nobody"}), "");

    const auto text = run({"letters", "list", "--limit", "1"}).output;
    QVERIFY2(
        text.find("deposit e-5  user 1  10.5 ETH  attempt 6") != std::string::npos, text.c_str());
    QVERIFY(text.find("--after 5") != std::string::npos);
}

void TestLetters::aLetterShowsAllItsAttempts()
{
    putExhausted(1);
    pushCopy(1);
    m_database->run("INSERT INTO event_attempts (event_no, at, attempt, error, error_class, cause)"
                    " SELECT 1, now() - interval '1 h' + n * interval '1 min', n,"
                    " 'try ' || n, '40P01', 'c' FROM generate_series(1, 5) n");
    QCOMPARE(run({"letters", "drain"}).status, 0);

    const auto shown = run({"letters", "show", "1", "--json"});

    QVERIFY2(shown.status == 0, shown.complaint.c_str());
    const auto story = shown.json();
    QCOMPARE(story["letter"]["event_id"].toString(), "e-1");
    QCOMPARE(story["letter"]["amount"].toString(), "10.5");
    QCOMPARE(story["letter"]["error"].toString(), "the disk was full");
    QCOMPARE(story["event"]["status"].toString(), "failed");
    QCOMPARE(story["event"]["failure"].toString(), "exhausted");
    QStringList attempts;
    for (const QJsonValue attempt : story["attempts"].toArray()) {
        attempts << QString::number(attempt["attempt"].toInt()) + " " + attempt["error"].toString();
    }
    QCOMPARE(
        attempts.join(", "), "1 try 1, 2 try 2, 3 try 3, 4 try 4, 5 try 5, 6 the disk was full");
    const QJsonArray all = story["attempts"].toArray();
    QCOMPARE(all.last().toObject()["letter_state"].toString(), "open");
    QVERIFY(all.first().toObject()["letter_id"].isNull());

    const auto text = run({"letters", "show", "1"}).output;
    QVERIFY2(text.find("failed (exhausted)") != std::string::npos, text.c_str());
    QVERIFY(text.find("40P01: try 5") != std::string::npos);
}

void TestLetters::whatCannotBeShownIsSaid_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("named");

    QTest::newRow("no such letter") << QStringList{"show", "99"} << 65 << "99";
    QTest::newRow("no id") << QStringList{"show"} << 64 << "ID";
    QTest::newRow("an id that is none") << QStringList{"show", "x"} << 64 << "'x'";
    QTest::newRow("a state nobody knows") << QStringList{"list", "--state", "lost"} << 64 << "lost";
    QTest::newRow("a page too large") << QStringList{"list", "--limit", "1001"} << 64 << "1001";
    QTest::newRow("no page") << QStringList{"list", "--limit", "0"} << 64 << "'0'";
    QTest::newRow("after nothing") << QStringList{"list", "--after", "-1"} << 64 << "-1";
}

void TestLetters::whatCannotBeShownIsSaid()
{
    QFETCH(QStringList, arguments);
    QFETCH(int, status);
    QFETCH(QString, named);
    std::vector<std::string> words{"letters"};
    for (const auto& argument : arguments) words.push_back(argument.toStdString());

    const auto ended = run(words);

    QCOMPARE(ended.status, status);
    QVERIFY2(
        ended.complaint.find(named.toStdString()) != std::string::npos, ended.complaint.c_str());
    QCOMPARE(ended.output, std::string{});
}

} // namespace

QTEST_GUILESS_MAIN(TestLetters)
#include "tst_letters.moc"
