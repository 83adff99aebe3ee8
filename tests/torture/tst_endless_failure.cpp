// One event that fails for ever beside thousands of good ones: the good ones are settled meanwhile,
// the bad one ends after six attempts with one letter, and what happened can be read.

#include "tests/support/process.h"
#include "tests/support/require.h"
#include "tests/support/wait.h"
#include "tests/torture/arena.h"
#include "tests/torture/books.h"
#include "tests/torture/crowd.h"
#include "tests/torture/sabotage.h"
#include "tests/torture/scale.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <chrono>

using namespace std::chrono_literals;

namespace {

constexpr std::int64_t kUsers = 1'000;
constexpr const char* kBad = "e.event_id = 'bad'";

class TestEndlessFailure : public QObject
{
    Q_OBJECT

private slots:
    void stopsNobodyElse();

private:
    QJsonObject run(const support::Database& database, std::vector<std::string> arguments);
    static void checkWait(support::Database& database);

    torture::Arena m_arena;
};

QJsonObject TestEndlessFailure::run(
    const support::Database& database, std::vector<std::string> arguments)
{
    support::ProcessPlan plan{.program = support::binFolder() + "/countersignd",
        .arguments = std::move(arguments),
        .environment = {"DATABASE_URL=" + database.url()}};
    const auto process = support::require(support::Process::start(std::move(plan)));
    if (process->waitExit(60s) != 0) qWarning("%s", process->errorOutput().c_str());
    return QJsonDocument::fromJson(QByteArray::fromStdString(process->output())).object();
}

// The n-th wait is somewhere between nothing and 2^n seconds.
void TestEndlessFailure::checkWait(support::Database& database)
{
    QCOMPARE(
        database.value("SELECT count(*) FROM event_waits w, LATERAL (SELECT max(at) AS at FROM"
                       " event_attempts a WHERE a.event_no = w.event_no) last WHERE reason ="
                       " 'retry' AND (w.due_at < last.at - interval '1 s' OR w.due_at >"
                       " last.at + least(60, 2 ^ attempts) * interval '1 s' + interval '1 s')"),
        std::string{"0"});
}

void TestEndlessFailure::stopsNobodyElse()
{
    const std::int64_t good = torture::scaled<std::int64_t>(1'000, 10'000);
    auto database = m_arena.createDatabase(kUsers);
    torture::refuseRows(database, "balance_events", "NEW.source_event_id = 'bad'", "40001");
    const auto one = m_arena.serve(database);
    const auto two = m_arena.serve(database);
    support::WebhookSender sender{one->http(), m_arena.secret()};
    QCOMPARE(support::require(sender.send({.eventId = "bad", .userId = 7})).status, 200);
    const auto begun = std::chrono::steady_clock::now();
    torture::Crowd crowd{m_arena.secret(), 8,
        [](std::int64_t turn) -> std::vector<support::Payment> {
            // Its own account has to wait for it, nobody else.
            return {{.eventId = "good-" + std::to_string(turn), .userId = 8 + turn % 900}};
        },
        good};
    crowd.aim({one->http(), two->http()});
    QVERIFY(support::waitUntil([&] { return crowd.isDone(); }, 120s));
    QCOMPARE(support::require(sender.send({.eventId = "later", .userId = 7})).status, 200);
    const std::string excused = "e.event_id IN ('bad', 'later')";
    QVERIFY(torture::waitEnded(database, 30s, excused));
    const auto goodAfter = std::chrono::steady_clock::now() - begun;
    // Not before its account's earlier one has ended.
    QCOMPARE(database.value("SELECT count(*) FROM payment_events l WHERE event_id = 'later' AND"
                            " outcome IS NOT NULL AND EXISTS (SELECT FROM payment_events b WHERE"
                            " b.event_id = 'bad' AND b.outcome IS NULL)"),
        std::string{"0"});

    const auto hasEnded = [&] {
        checkWait(database);
        // The little scale does not wait for the dice, only for everything else.
        if (!torture::isFull()) database.run("UPDATE event_waits SET due_at = now()");
        return database.value("SELECT outcome FROM payment_events WHERE event_id = 'bad'")
            == "failed";
    };
    QVERIFY(support::waitUntil(hasEnded, 120s)); // 62 s of waits at most, and the tries
    const auto badAfter = std::chrono::steady_clock::now() - begun;

    QVERIFY(torture::waitEnded(database, 30s));
    const auto promised = crowd.promised();
    const auto wrong = torture::complaints(
        database, {.promised = promised, .excused = kBad, .redisUrl = m_arena.stack().redisUrl()});
    QVERIFY2(wrong.empty(), wrong.c_str());
    QCOMPARE(database.table("SELECT event_id, attempt, error_class, state FROM dead_letter_queue"),
        std::string{"(bad,6,40001,open)"});
    QCOMPARE(database.table("SELECT attempt, error_class FROM event_attempts ORDER BY at"),
        std::string{"(1,40001)\n(2,40001)\n(3,40001)\n(4,40001)\n(5,40001)"});
    QCOMPARE(database.value("SELECT string_agg(kind, ' ' ORDER BY no) FROM payment_log"
                            " WHERE payment_id = 'bad' AND kind <> 'payment.enqueued'"),
        std::string{"payment.failed payment.dead_lettered"});

    const auto letters = run(database, {"letters", "list", "--json"})["letters"].toArray();
    QCOMPARE(letters.size(), 1);
    const auto id = QString::number(letters[0].toObject()["id"].toInteger()).toStdString();
    const auto shown = run(database, {"letters", "show", id, "--json"});
    QCOMPARE(shown["attempts"].toArray().size(), 6);
    QCOMPARE(shown["event"].toObject()["failure"].toString(), "exhausted");
    qInfo("%lld good events settled after %lld ms, the bad one failed after %lld ms",
        static_cast<long long>(good),
        static_cast<long long>(
            std::chrono::duration_cast<std::chrono::milliseconds>(goodAfter).count()),
        static_cast<long long>(
            std::chrono::duration_cast<std::chrono::milliseconds>(badAfter).count()));
}

} // namespace

QTEST_GUILESS_MAIN(TestEndlessFailure)
#include "tst_endless_failure.moc"
