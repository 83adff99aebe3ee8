// Plans made while the tables were empty stay cheap when they are full, under the daemon's role.
#include "sql/intake.h"
#include "tests/support/require.h"
#include "tests/support/stack.h"

#include <QTest>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr int kDeliveries = 500; // of one gathering

/// What a plan did: pages touched and rows handled.
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
    $$;
    CREATE FUNCTION hashes(first integer) RETURNS bytea[] LANGUAGE sql AS
        'SELECT array_agg(sha256(n::text::bytea)) FROM generate_series(first, first + 499) n';
    CREATE FUNCTION bodies() RETURNS bytea[] LANGUAGE sql AS
        'SELECT array_agg(sha256($a$b$a$)) FROM generate_series(1, 500)')";

/// A past of 60,000 events, each delivered twice, and one event that was delivered 20,000 times.
constexpr const char* kFill = R"(
    INSERT INTO users SELECT generate_series(1, 60000);
    INSERT INTO event_keys
    SELECT sha256(n::text::bytea), n, sha256('f') FROM generate_series(1, 60000) n;
    INSERT INTO payment_events (event_no, event_id, event_type, source, user_id, asset, amount,
        trace_id)
    SELECT n, 'e-' || n, 'deposit', 'payments', n, 'ETH', 1, 't' FROM generate_series(1, 60000) n;
    INSERT INTO event_queue SELECT n, n, n % 64 FROM generate_series(1, 60000) n;
    INSERT INTO event_waits (event_no, user_id, lane, reason, due_at)
    SELECT n, n, n % 64, 'finality', 'infinity' FROM generate_series(1, 60000) n;
    INSERT INTO deliveries (event_no, source, verdict, body_sha256, body, trace_id)
    SELECT n, 'payments', 'accepted', sha256('b'), 'b', 't' FROM generate_series(1, 60000) n;
    INSERT INTO deliveries (event_no, source, verdict, body_sha256, trace_id)
    SELECT n, 'payments', 'duplicate', sha256('b'), 't' FROM generate_series(1, 60000) n;
    INSERT INTO deliveries (event_no, source, verdict, body_sha256, trace_id)
    SELECT 7, 'payments', 'duplicate', sha256('b'), 't' FROM generate_series(1, 20000) n;
    INSERT INTO quarantine (source, reason, body_sha256, body)
    SELECT 'payments', 'invalid_json', sha256(n::text::bytea), 'b' FROM generate_series(1, 60000) n;
    INSERT INTO deposit_addresses
    SELECT 'eip155:1', '0x' || n, n FROM generate_series(1, 60000) n)";

/// '{f(0),…,f(499)}', quoted for a statement that is itself quoted.
std::string arrayOf(const std::function<std::string(int)>& element)
{
    std::string text = "''{";
    for (int i = 0; i < kDeliveries; ++i) text += (i > 0 ? "," : "") + element(i);
    return text + "}''";
}

std::string always(const std::string& value)
{
    return arrayOf([&](int) { return value; });
}

std::string numbers(int from)
{
    return arrayOf([from](int i) { return std::to_string(from + i); });
}

std::string typesOf(const pg::Statement& statement)
{
    const std::string text{statement.text};
    std::string types;
    for (auto at = text.find("-- in: "); at != std::string::npos;
         at = text.find("-- in: ", at + 1)) {
        types += (types.empty() ? "" : ", ") + text.substr(at + 7, text.find('\n', at) - at - 7);
    }
    return "(" + types + ")";
}

struct HotStatement
{
    pg::Statement statement;
    int parameters; // all of them arrays
    std::string full;
};

std::vector<HotStatement> hotStatements()
{
    const auto addresses = arrayOf([](int i) { return "0x" + std::to_string(100 + i * 100); });
    const auto spread = arrayOf([](int i) { return std::to_string(100 + i * 100); });
    const std::string sameBody = "bodies()";
    const auto ids = arrayOf([](int i) { return "new-" + std::to_string(i); });
    const auto texts = always("x");
    const auto join = [](const std::vector<std::string>& all) {
        std::string text;
        for (const auto& one : all) text += (text.empty() ? "" : ", ") + one;
        return text;
    };
    return {
        {sql::kIntakeUsers, 1, spread},
        {sql::kIntakeAddressOwners, 2, join({always("eip155:1"), addresses})},
        {sql::kIntakeKeysInsert, 2, join({"hashes(59750)", "hashes(1)"})},
        // The first of these is the event with 20,000 deliveries.
        {sql::kIntakeKeysRead, 2, join({"hashes(7)", sameBody})},
        {sql::kIntakeQuarantineUpsert, 7,
            join({texts, texts, texts, "hashes(59750)", sameBody, always("\"{}\""), always("1")})},
        {sql::kIntakeEventsInsert, 16,
            join({numbers(70'000), ids, always("deposit"), texts, spread, always("ETH"),
                always("1.5"), texts, texts, texts, texts, always("NULL"), texts, texts,
                numbers(70'000), spread})},
        {sql::kIntakeWaitsInsert, 3, join({numbers(80'000), spread, always("eip155:1")})},
        {sql::kIntakeDeliveriesInsert, 8,
            join({numbers(70'000), texts, always("accepted"), sameBody, sameBody, always("\"{}\""),
                texts, texts})},
    };
}

} // namespace

class TestIntakePlans : public QObject
{
    Q_OBJECT

private slots:
    void statementsStayCheapWhenTheTablesFill()
    {
        // Nobody analyses the tables in between: plans know them as empty.
        support::TestStack stack{{"autovacuum=off"}};
        auto database = stack.createDatabase();
        database.run(kMeasure);
        auto connection = database.connect("countersign_processor");
        const auto hots = hotStatements();
        support::require(connection.runScript("SET plan_cache_mode = force_generic_plan; BEGIN"));
        for (const HotStatement& hot : hots) {
            support::require(connection.runScript("PREPARE " + std::string{hot.statement.name}
                + typesOf(hot.statement) + " AS " + hot.statement.text));
            std::string none = "''{}''";
            for (int i = 1; i < hot.parameters; ++i) none += ", ''{}''";
            measure(connection, hot, none);
        }
        support::require(connection.runScript("ROLLBACK"));
        database.run(kFill);

        support::require(connection.runScript("BEGIN"));
        for (const HotStatement& hot : hots) {
            const auto [pages, handled] = measure(connection, hot, hot.full);
            qInfo("%s: %lld pages, %lld rows", hot.statement.name, static_cast<long long>(pages),
                static_cast<long long>(handled));
            // A row costs some index descents and its pages, whatever the tables hold.
            QVERIFY2(pages <= 40 * kDeliveries, hot.statement.name);
            QVERIFY2(handled <= 40 * kDeliveries, hot.statement.name);
        }
        support::require(connection.runScript("ROLLBACK"));
    }

private:
    static std::pair<std::int64_t, std::int64_t> measure(
        pg::Connection& connection, const HotStatement& hot, const std::string& parameters)
    {
        const std::string text = "SELECT pages, handled FROM measure('EXECUTE "
            + std::string{hot.statement.name} + "(" + parameters + ")')";
        const auto rows = support::require(connection.run({"measure", text.c_str()}));
        return {rows.bigint(0, 0), rows.bigint(0, 1)};
    }
};

QTEST_GUILESS_MAIN(TestIntakePlans)
#include "tst_intake_plans.moc"
