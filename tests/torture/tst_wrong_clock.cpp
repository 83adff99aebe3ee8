// The clock of one of two processors is wrong: nothing is claimed twice, nothing expires or is
// tried again too early, since only the clock of the database counts.

#include "tests/support/require.h"
#include "tests/support/wait.h"
#include "tests/torture/arena.h"
#include "tests/torture/books.h"
#include "tests/torture/crowd.h"
#include "tests/torture/sabotage.h"
#include "tests/torture/scale.h"

#include <QDateTime>
#include <QTest>
#include <chrono>
#include <cstdlib>
#include <filesystem>

using namespace std::chrono_literals;

namespace {

constexpr std::int64_t kUsers = 200;

class TestWrongClock : public QObject
{
    Q_OBJECT

private slots:
    void isNobodysMeasure_data();
    void isNobodysMeasure();

private:
    static std::string library();
    void checkRetries(support::Database& database);

    torture::Arena m_arena;
};

// Of the package `faketime`, which ./dev installs.
std::string TestWrongClock::library()
{
    for (const auto& folder : std::filesystem::directory_iterator{"/usr/lib"}) {
        const auto file = folder.path() / "faketime" / "libfaketimeMT.so.1";
        if (std::filesystem::exists(file)) return file;
    }
    return {};
}

void TestWrongClock::isNobodysMeasure_data()
{
    QTest::addColumn<int>("offset");

    QTest::newRow("ten minutes fast") << 600;
    QTest::newRow("ten minutes slow") << -600;
    QTest::newRow("an hour fast") << 3'600; // longer than anything waits
}

// No attempt came before the time that was set when the one before it failed.
void TestWrongClock::checkRetries(support::Database& database)
{
    QCOMPARE(
        database.value("SELECT count(*) FROM seen_waits w JOIN event_attempts a ON a.event_no ="
                       " w.event_no AND a.attempt = w.attempts + 1 WHERE a.at < w.due_at"),
        std::string{"0"});
    QVERIFY(database.value("SELECT count(DISTINCT attempts) FROM seen_waits") >= "2");
}

void TestWrongClock::isNobodysMeasure()
{
    QFETCH(int, offset);
    const auto pairs = torture::scaled<std::int64_t>(300, 10'000);
    const auto faketime = library();
    QVERIFY2(!faketime.empty(), "the package faketime is not installed");
    auto database = m_arena.createDatabase(kUsers);
    torture::refuseRows(database, "balance_events", "NEW.source_event_id = 'bad'", "40001");
    // What the waits were, for no table remembers them.
    database.run("CREATE TABLE seen_waits (event_no bigint, attempts int, due_at timestamptz);"
                 " CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$"
                 " BEGIN INSERT INTO seen_waits VALUES (NEW.event_no, NEW.attempts, NEW.due_at);"
                 " RETURN NEW; END $$; CREATE TRIGGER see AFTER INSERT ON event_waits"
                 " FOR EACH ROW WHEN (NEW.reason = 'retry') EXECUTE FUNCTION see()");
    const auto right = m_arena.serve(database);
    const auto wrong = m_arena.serve(database,
        {.environment = {"LD_PRELOAD=" + faketime,
             "FAKETIME=" + std::string{offset > 0 ? "+" : ""} + std::to_string(offset),
             "FAKETIME_DONT_FAKE_MONOTONIC=1", "FAKETIME_NO_CACHE=1"}});
    // It is wrong indeed.
    const auto log = QByteArray::fromStdString(wrong->process().errorOutput());
    const auto said = log.mid(log.indexOf("\"time\":\"") + 8, 19);
    const auto off = QDateTime::currentDateTimeUtc().secsTo(
        QDateTime::fromString(QString::fromLatin1(said + "Z"), Qt::ISODate));
    QVERIFY2(std::abs(off - offset) < 60, said.constData());
    support::WebhookSender sender{wrong->http(), m_arena.secret()};
    // Its deposit may still come: fifteen minutes by the database's clock.
    QCOMPARE(support::require(sender.send({.eventId = "early",
                                  .eventType = "refund",
                                  .userId = kUsers - 1,
                                  .more = {{"original_event_id", "not-yet"}}}))
                 .status,
        200);
    torture::Crowd crowd{m_arena.secret(), 8, torture::pairsOf(kUsers / 2), pairs};
    crowd.aim({right->http(), wrong->http()});
    QVERIFY(support::waitUntil([&] { return crowd.isDone(); }, 300s));
    // Only now: its attempts may all be over within a minute, and it shall not fail for good.
    QCOMPARE(support::require(sender.send({.eventId = "bad", .userId = kUsers})).status, 200);
    // Three attempts: waits of at most two and four seconds. One more is left: it may come at once.
    const auto attempts = torture::scaled<std::string>("3", "4");
    QVERIFY(support::waitUntil(
        [&] { return database.value("SELECT count(*) FROM event_attempts") >= attempts; }, 90s));

    checkRetries(database);
    // Between two waits it stands in the queue for a moment; it must not have ended.
    QVERIFY(support::waitUntil(
        [&] {
            return database.table("SELECT reason FROM event_waits w JOIN payment_events e USING"
                                  " (event_no) WHERE event_id = 'early' AND outcome IS NULL")
                == "(original)";
        },
        30s));
    QCOMPARE(database.value("SELECT count(*) FROM processor_instances WHERE heartbeat_at BETWEEN"
                            " clock_timestamp() - interval '15 s' AND clock_timestamp()"),
        std::string{"2"});
    QCOMPARE(database.value("SELECT count(*) FROM jobs WHERE every IS NOT NULL AND next_due_at"
                            " NOT BETWEEN now() - interval '15 s' AND now() + every"
                            " + interval '5 s'"),
        std::string{"0"});
    torture::acceptRows(database, "balance_events");
    database.run("UPDATE event_waits SET due_at = now() WHERE reason = 'retry'");
    const std::string excused = "e.event_id = 'early'";
    QVERIFY(torture::waitEnded(database, 60s, excused));
    const auto complaint = torture::complaints(database,
        {.promised = crowd.promised(), .excused = excused, .redisUrl = m_arena.stack().redisUrl()});
    QVERIFY2(complaint.empty(), complaint.c_str());
    QCOMPARE(database.value("SELECT count(*) FROM dead_letter_queue"), std::string{"0"});
}

} // namespace

QTEST_GUILESS_MAIN(TestWrongClock)
#include "tst_wrong_clock.moc"
