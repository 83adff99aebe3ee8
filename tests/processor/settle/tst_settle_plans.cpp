// Plans made while the tables were empty stay cheap when they are full, under the daemon's role.
#include "sql/payment_log.h"
#include "sql/settle.h"
#include "tests/processor/settle/settle_bench.h"
#include "tests/support/require.h"

#include <QTest>
#include <functional>
#include <utility>

namespace {

constexpr int kEvents = 500; // of one batch

/// Adds up what a plan did: pages touched and rows handled, the latter also where no page is.
constexpr const char* kMeasure = R"(
    CREATE FUNCTION measure(statement text, OUT pages bigint, OUT handled bigint)
    LANGUAGE plpgsql AS $$
    DECLARE
        plan json;
    BEGIN
        EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ' || statement INTO plan;
        pages := (plan #>> '{0,Plan,Shared Hit Blocks}')::bigint
            + (plan #>> '{0,Plan,Shared Read Blocks}')::bigint;
        SELECT sum((node ->> 'Actual Loops')::numeric * ((node ->> 'Actual Rows')::numeric
                + coalesce((node ->> 'Rows Removed by Filter')::numeric, 0)
                + coalesce((node ->> 'Rows Removed by Join Filter')::numeric, 0)))
            INTO handled
            FROM jsonb_path_query(plan::jsonb, 'strict $.** ? (exists(@."Node Type"))') AS node;
    END
    $$)";

/// 60,000 events of 2,000 users, a third of them still to be done, with a past in every table.
constexpr const char* kFill = R"(
    INSERT INTO users SELECT generate_series(201, 2000);
    INSERT INTO payment_events (event_no, event_id, event_type, source, user_id, asset, amount,
        merchant_id, trace_id, outcome, settled_at)
    SELECT n, 'e-' || md5(n::text), 'deposit', 'payments', n % 2000 + 1, 'ETH', 1,
        'm' || n % 50, 'trace', CASE WHEN n <= 40000 THEN 'confirmed' END,
        CASE WHEN n <= 40000 THEN now() END
    FROM generate_series(1, 60000) n;
    INSERT INTO event_queue (event_no, user_id, lane)
    SELECT n, n % 2000 + 1, (n % 2000 + 1) % 64 FROM generate_series(40001, 60000) n;
    INSERT INTO event_waits (event_no, user_id, lane, reason, due_at)
    SELECT n, n % 2000 + 1, (n % 2000 + 1) % 64, 'finality', now() FROM generate_series(1, 20000) n;
    INSERT INTO balances (user_id, asset, balance, version)
    SELECT n, 'ETH', 20, 20 FROM generate_series(1, 2000) n;
    INSERT INTO merchant_balances SELECT 'm' || n, 'ETH', 1, 1 FROM generate_series(0, 4999) n;
    INSERT INTO balance_events (user_id, asset, amount, balance_after, version, source_event_id,
        event_type, event_no)
    SELECT n % 2000 + 1, 'ETH', 1, 1, n / 2000 + 1, 'e-' || md5(n::text), 'deposit', n
    FROM generate_series(0, 39999) n;
    INSERT INTO processed_events (event_no, idempotency_key, outcome)
    SELECT n, sha256(n::text::bytea), 'success' FROM generate_series(1, 40000) n;
    INSERT INTO notifications (event_no, kind, target)
    SELECT n, 'credited', 'default' FROM generate_series(1, 40000) n;
    INSERT INTO payment_log (no, event_no, kind, actor, trace_id, payment_id, event_type, user_id,
        asset, amount)
    SELECT n, n, 'payment.confirmed', 'test', 'trace', 'e-' || n, 'deposit', 1, 'ETH', 1
    FROM generate_series(1, 40000) n)";

/// '{f(40001),…,f(40500)}', quoted for a statement that is itself quoted.
std::string arrayOf(const std::function<std::string(int)>& element)
{
    std::string text = "''{";
    for (int i = 1; i <= kEvents; ++i) text += (i > 1 ? "," : "") + element(40000 + i);
    return text + "}''";
}

std::string always(const std::string& value)
{
    return arrayOf([&](int) { return value; });
}

std::string typesOf(const pg::Statement& statement)
{
    const std::string text{statement.text};
    const auto from = text.find("-- in: ");
    if (from == std::string::npos) return "";
    return "(" + text.substr(from + 7, text.find('\n', from) - from - 7) + ")";
}

struct HotStatement
{
    pg::Statement statement;
    std::string empty; // parameters for the execution on empty tables
    std::string full;
};

std::string numbers()
{
    return arrayOf([](int n) { return std::to_string(n); });
}

std::string users()
{
    return arrayOf([](int n) { return std::to_string(n % 2000 + 1); });
}

std::vector<HotStatement> hotStatements()
{
    const std::string none = "''{}''";
    const auto ids = arrayOf([](int n) { return "new-" + std::to_string(n); });
    const auto keys = arrayOf([](int n) { return "k" + std::to_string(n); });
    const auto merchants
        = arrayOf([](int n) { return "m" + std::to_string(1000 + n % 10000 % 4000); });
    const auto bounded = numbers() + ", 40001, 40500";
    const auto repeat = [&](int times) {
        std::string text = none;
        for (int i = 1; i < times; ++i) text += ", " + none;
        return text;
    };
    return {
        {sql::kSettleTakeLanes, "0, 64", "0, 64"},
        {sql::kSettleTakeEvents, "0, 1000000, 500, NULL, " + repeat(2),
            "0, 1000000, 500, NULL, " + repeat(2)},
        {sql::kSettleLockAccounts, "", ""},
        {sql::kSettleAddToMerchants, repeat(3),
            merchants + ", " + always("ETH") + ", " + always("1")},
        {sql::kSettleWriteBalances, repeat(5),
            users() + ", " + always("ETH") + ", " + always("21") + ", " + always("0") + ", "
                + always("21")},
        {sql::kSettleWriteJournal, repeat(8),
            users() + ", " + always("ETH") + ", " + always("1") + ", " + always("21") + ", "
                + always("21") + ", " + ids + ", " + always("deposit") + ", " + numbers()},
        {sql::kSettleWriteProcessed, repeat(3), numbers() + ", " + keys + ", " + always("success")},
        {sql::kSettleEndEvents, none + ", 0, 0, ''confirmed'', NULL",
            bounded + ", ''confirmed'', NULL"},
        {sql::kSettleWriteNotifications, repeat(2), numbers() + ", " + always("credited")},
        {sql::kSettleDeleteWork, none, numbers()},
        {sql::kLogAppend, "0, ''test'', " + repeat(10),
            "39000, ''test'', " + numbers() + ", " + always("payment.confirmed") + ", "
                + always("trace") + ", " + ids + ", " + always("deposit") + ", " + users() + ", "
                + always("NULL") + ", " + always("ETH") + ", " + always("1") + ", "
                + always("NULL")},
    };
}

} // namespace

class TestSettlePlans : public QObject
{
    Q_OBJECT

private slots:
    void everyStatementIsPrepared();
    void hotStatementsStayCheapWhenTheTablesFill();

private:
    // Nobody analyses the tables in between: plans know them as empty.
    support::TestStack m_stack{{"autovacuum=off"}};
};

void TestSettlePlans::everyStatementIsPrepared()
{
    SettleBench bench{m_stack};
    auto connection = bench.database().connect("countersign_processor");
    for (const HotStatement& hot : hotStatements()) {
        QVERIFY(connection.runScript("PREPARE " + std::string{hot.statement.name}
            + typesOf(hot.statement) + " AS " + hot.statement.text));
    }
}

void TestSettlePlans::hotStatementsStayCheapWhenTheTablesFill()
{
    SettleBench bench{m_stack};
    bench.database().run(kMeasure);
    auto connection = bench.database().connect("countersign_processor");
    support::require(connection.runScript("SET plan_cache_mode = force_generic_plan; BEGIN"));
    const auto hots = hotStatements();
    const auto measure = [&](const HotStatement& hot, const std::string& parameters) {
        const std::string execute
            = std::string{hot.statement.name} + (parameters.empty() ? "" : "(" + parameters + ")");
        const std::string text = "SELECT pages, handled FROM measure('EXECUTE " + execute + "')";
        const auto rows = support::require(connection.run({"measure", text.c_str()}));
        return std::pair{rows.bigint(0, 0), rows.bigint(0, 1)};
    };
    for (const HotStatement& hot : hots) {
        support::require(connection.runScript("PREPARE " + std::string{hot.statement.name}
            + typesOf(hot.statement) + " AS " + hot.statement.text));
        measure(hot, hot.empty);
    }
    support::require(connection.runScript("ROLLBACK"));
    bench.database().run(kFill);

    support::require(connection.runScript("BEGIN"));
    for (const HotStatement& hot : hots) {
        const auto [pages, handled] = measure(hot, hot.full);
        qInfo("%s: %lld pages, %lld rows", hot.statement.name, static_cast<long long>(pages),
            static_cast<long long>(handled));
        // A row costs some index descents and its pages, whatever the tables hold. A plan that
        // scans or joins otherwise is beyond this by orders of magnitude.
        QVERIFY2(pages <= 30 * kEvents, hot.statement.name);
        QVERIFY2(handled <= 40 * kEvents, hot.statement.name);
    }
    support::require(connection.runScript("ROLLBACK"));
}

QTEST_GUILESS_MAIN(TestSettlePlans)
#include "tst_settle_plans.moc"
