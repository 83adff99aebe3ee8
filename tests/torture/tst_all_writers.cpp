// All that writes, at the same time and in a hurry, while a person sits on rows that people may
// lock: no deadlock, nobody is held up.

#include "tests/support/process.h"
#include "tests/support/require.h"
#include "tests/support/temp_folder.h"
#include "tests/support/wait.h"
#include "tests/torture/arena.h"
#include "tests/torture/books.h"
#include "tests/torture/crowd.h"
#include "tests/torture/sabotage.h"
#include "tests/torture/scale.h"

#include <QTest>
#include <chrono>
#include <fstream>
#include <memory>

using namespace std::chrono_literals;

namespace {

constexpr std::int64_t kUsers = 300;
// May fail, wait or have letters: made to.
constexpr const char* kExcused = "e.event_id LIKE 'rich-%' OR e.event_id LIKE 'bad-%'";

class TestAllWriters : public QObject
{
    Q_OBJECT

private slots:
    void neverDeadlock();

private:
    static std::vector<support::Payment> mixture(std::int64_t turn);
    std::unique_ptr<support::Process> command(
        const support::Database& database, std::vector<std::string> arguments);
    static std::string writeUsers(const support::TempFolder& folder);

    torture::Arena m_arena;
};

// Deposits through merchants and their refunds, withdrawals, overflows, conflicts, what fails.
std::vector<support::Payment> TestAllWriters::mixture(std::int64_t turn)
{
    const auto no = std::to_string(turn);
    const auto user = 1 + turn * 7 % kUsers;
    const std::vector<std::pair<std::string, std::string>> merchant{
        {"merchant_id", "shop-" + std::to_string(turn % 5)}};
    auto original = merchant;
    original.emplace_back("original_event_id", "in-" + no);
    std::vector<support::Payment> all{
        {.eventId = "in-" + no, .userId = user, .amount = "3", .more = merchant},
        {.eventId = "in-" + no, .userId = user, .amount = "3", .more = merchant},
        {.eventId = "out-" + no, .eventType = "withdrawal", .userId = user},
        {.eventId = "back-" + no, .eventType = "refund", .userId = user, .more = original},
        {.eventId = "usdc-" + no, .userId = kUsers + 1 - user, .more = {{"asset", "USDC"}}}};
    if (turn % 20 == 0) {
        all.push_back({.eventId = "rich-" + no, .userId = user, .amount = "99999999999999999999"});
    }
    // Few: each one holds its account back for six attempts.
    if (turn % 25 == 0 && turn < 1'000) all.push_back({.eventId = "bad-" + no, .userId = user});
    return all;
}

std::unique_ptr<support::Process> TestAllWriters::command(
    const support::Database& database, std::vector<std::string> arguments)
{
    return support::require(
        support::Process::start({.program = support::binFolder() + "/countersignd",
            .arguments = std::move(arguments),
            .environment = {"WEBHOOK_SECRET", "DATABASE_URL=" + database.url(),
                "REDIS_URL=" + m_arena.stack().redisUrl(),
                "WEBHOOK_SECRET_FILE=" + m_arena.stack().secretFile()}}));
}

std::string TestAllWriters::writeUsers(const support::TempFolder& folder)
{
    const std::string file = folder.file("users.csv");
    std::ofstream csv{file};
    csv << "user_id,external_ref,asset,opening_balance\n";
    for (int user = 5'000; user < 7'000; ++user) {
        csv << user << ",ref-" << user << ",ETH,1.5\n" << user << ",ref-" << user << ",USDC,2\n";
    }
    return file;
}

void TestAllWriters::neverDeadlock()
{
    const auto length = torture::scaled<std::chrono::seconds>(5s, 120s);
    auto database = m_arena.createDatabase(kUsers);
    torture::refuseRows(database, "balance_events", "NEW.source_event_id LIKE 'bad-%'", "40001");
    torture::refuseRows(database, "dead_letter_queue", "random() < 0.3", "22023");
    const std::vector<std::string> hurry{"--settlers", "2", "--poll-ms", "20", "--recovery-seconds",
        "1", "--janitor-seconds", "1", "--partitions-seconds", "1"};
    const auto one = m_arena.serve(database, {.arguments = hurry});
    const auto two = m_arena.serve(database, {.arguments = hurry});
    const auto settlers
        = m_arena.serve(database, {.roles = "settle,dispatch,watch", .arguments = hurry});
    torture::Crowd crowd{m_arena.secret(), 12, mixture};
    crowd.aim({one->http(), two->http()});

    const support::TempFolder folder;
    const std::string users = writeUsers(folder);
    auto person = database.connect();
    auto import = command(database, {"users", "import", users});
    auto drain = command(database, {"letters", "drain"});
    int imports = 0;
    int drains = 0;
    const auto isOver = [&] {
        // Whoever looks at letters and alerts has them locked, nearly all the time.
        support::require(person.runScript(
            "ROLLBACK; BEGIN; SELECT FROM dead_letter_queue FOR UPDATE SKIP LOCKED;"
            " SELECT FROM alerts FOR UPDATE SKIP LOCKED;"
            " SELECT FROM quarantine FOR UPDATE SKIP LOCKED"));
        database.run("UPDATE event_waits SET due_at = now() WHERE reason = 'retry'");
        if (!import->isRunning()) {
            ++imports;
            import = command(database, {"users", "import", users});
        }
        if (!drain->isRunning()) {
            ++drains;
            drain = command(database, {"letters", "drain"});
        }
        support::letPass(300ms);
        return false;
    };
    (void)support::waitUntil(isOver, length);
    crowd.stop();
    const auto haveEnded = [&](const char* excused) {
        database.run("UPDATE event_waits SET due_at = now() WHERE reason = 'retry'");
        return torture::waitEnded(database, 200ms, excused);
    };
    // The person still sits there: nobody waits for that.
    QVERIFY(support::waitUntil([&] { return haveEnded(kExcused); }, 600s));
    support::require(person.runScript("ROLLBACK"));
    torture::acceptRows(database, "dead_letter_queue");
    QVERIFY(support::waitUntil([&] { return haveEnded("false"); }, 600s));
    QVERIFY(import->waitExit(60s) && drain->waitExit(60s));

    const auto wrong = torture::complaints(database,
        {.promised = crowd.promised(),
            .excused = kExcused,
            .redisUrl = m_arena.stack().redisUrl()});
    QVERIFY2(wrong.empty(), wrong.c_str());
    for (const auto& daemon : {&one, &two, &settlers}) {
        QCOMPARE((*daemon)->process().terminate(), std::optional<int>{0});
    }
    QCOMPARE(m_arena.serverLogged("deadlock detected"), 0);
    QCOMPARE(
        database.value("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"),
        std::string{"0"});
    qInfo("%s events, %s letters, %d imports and %d drains beside: no deadlock",
        database.value("SELECT count(*) FROM payment_events").c_str(),
        database.value("SELECT count(*) FROM dead_letter_queue").c_str(), imports, drains);
}

} // namespace

QTEST_GUILESS_MAIN(TestAllWriters)
#include "tst_all_writers.moc"
