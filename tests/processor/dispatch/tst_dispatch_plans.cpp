// Plans made while the tables were empty stay cheap when they are full, under the daemon's role.
#include "sql/dispatch.h"
#include "sql/relay.h"
#include "sql/stream_reader.h"
#include "tests/support/require.h"
#include "tests/support/stack.h"

#include <QTest>
#include <string>
#include <vector>

namespace {

constexpr int kBatch = 500;

/// Pages a statement touches.
constexpr const char* kMeasure = R"(
    CREATE FUNCTION pages(statement text) RETURNS bigint LANGUAGE plpgsql AS $$
    DECLARE
        plan json;
    BEGIN
        EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ' || statement INTO plan;
        RETURN (plan #>> '{0,Plan,Shared Hit Blocks}')::bigint
            + (plan #>> '{0,Plan,Shared Read Blocks}')::bigint;
    END
    $$)";

/// 100,000 events: 20,000 workable, 30,000 waiting and due, 30,000 waiting for finality.
constexpr const char* kFill = R"(
    INSERT INTO payment_events (event_no, event_id, event_type, source, user_id, asset, amount,
        trace_id)
    SELECT n, 'e-' || n, 'deposit', 'payments', n % 2000 + 1, 'ETH', 1, 'trace'
    FROM generate_series(1, 100000) n;
    INSERT INTO event_queue (event_no, user_id, lane)
    SELECT n, n % 2000 + 1, (n % 2000 + 1) % 64 FROM generate_series(1, 20000) n;
    INSERT INTO event_waits (event_no, user_id, lane, reason, due_at)
    SELECT n, n % 2000 + 1, (n % 2000 + 1) % 64, 'retry', now() - interval '1 second' * (n % 9)
    FROM generate_series(20001, 50000) n;
    INSERT INTO event_waits (event_no, user_id, lane, reason, due_at)
    SELECT n, n % 2000 + 1, (n % 2000 + 1) % 64, 'finality', 'infinity'
    FROM generate_series(50001, 80000) n;
    INSERT INTO payment_log (no, event_no, kind, actor, trace_id, payment_id, event_type, user_id,
        asset, amount)
    SELECT n, n, 'payment.enqueued', 'test', 'trace', 'e-' || n, 'deposit', 1, 'ETH', 1
    FROM generate_series(1, 100000) n;
    INSERT INTO stream_positions (group_name, low) VALUES ('a', 5), ('b', 6))";

struct Measured
{
    pg::Statement statement;
    std::string empty;
    std::string full;
};

std::string numbers(int first, int step)
{
    std::string text = "''{";
    for (int i = 0; i < kBatch; ++i) text += (i > 0 ? "," : "") + std::to_string(first + i * step);
    return text + "}''";
}

std::vector<Measured> statements()
{
    const std::string none = "''{}''";
    const std::string users = numbers(1, 0);
    return {
        {sql::kDispatchDue, none + ", 500", none + ", 500"},
        {sql::kDispatchEndWaits, none, numbers(20'001, 7)},
        {sql::kDispatchEnqueue, none + ", " + none + ", " + none + ", " + none,
            numbers(20'001, 7) + ", " + users + ", " + users + ", " + users},
        {sql::kRelayRead, "0", "70000"},
        {sql::kRelayRow, "0", "70000"},
        {sql::kRelayBounds, "", ""},
        {sql::kRelayLast, "0", "90000"},
        {sql::kRelayPositionsStore, none + ", " + none + ", '''', 0, '''', '''', '''', ''''",
            "''{a,b}'', ''{7,8}'', ''x'', 70000, ''payment.enqueued'', ''e-70000'', ''trace'', "
            "''''"},
        {sql::kReaderWorking, none + ", 0, 0", numbers(15'001, 19) + ", 15001, 24482"},
        {sql::kReaderEvents, none + ", 0, 0", numbers(15'001, 19) + ", 15001, 24482"},
    };
}

std::string typesOf(const pg::Statement& statement)
{
    const std::string text{statement.text};
    const auto from = text.find("-- in: ");
    if (from == std::string::npos) return "";
    return "(" + text.substr(from + 7, text.find('\n', from) - from - 7) + ")";
}

} // namespace

class TstDispatchPlans : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        // Nobody analyses the tables in between: plans know them as empty.
        m_stack = std::make_unique<support::TestStack>(std::vector<std::string>{"autovacuum=off"});
    }
    void plansMadeEmptyStayCheap_data();
    void plansMadeEmptyStayCheap();

private:
    std::unique_ptr<support::TestStack> m_stack;
};

void TstDispatchPlans::plansMadeEmptyStayCheap_data()
{
    QTest::addColumn<QString>("mode");

    QTest::newRow("planned once") << "force_generic_plan";
    QTest::newRow("planned each time") << "force_custom_plan"; // as the daemon does
}

void TstDispatchPlans::plansMadeEmptyStayCheap()
{
    QFETCH(QString, mode);
    auto database = m_stack->createDatabase();
    database.run(kMeasure);
    auto connection = database.connect("countersign_processor");
    support::require(
        connection.runScript("SET plan_cache_mode = " + mode.toStdString() + "; BEGIN"));
    const auto pages = [&](const Measured& measured, const std::string& parameters) {
        const std::string text = "SELECT pages('EXECUTE " + std::string{measured.statement.name}
            + (parameters.empty() ? "" : "(" + parameters + ")") + "')";
        return support::require(connection.run({"pages", text.c_str()})).bigint(0, 0);
    };
    for (const Measured& measured : statements()) {
        support::require(connection.runScript("PREPARE " + std::string{measured.statement.name}
            + typesOf(measured.statement) + " AS " + measured.statement.text));
        (void)pages(measured, measured.empty);
    }
    support::require(connection.runScript("ROLLBACK"));
    database.run(kFill);

    support::require(connection.runScript("BEGIN"));
    for (const Measured& measured : statements()) {
        const auto touched = pages(measured, measured.full);
        qInfo("%s: %lld pages", measured.statement.name, static_cast<long long>(touched));
        QVERIFY2(touched <= 20 * kBatch, measured.statement.name);
    }
    support::require(connection.runScript("ROLLBACK"));
}

QTEST_GUILESS_MAIN(TstDispatchPlans)
#include "tst_dispatch_plans.moc"
