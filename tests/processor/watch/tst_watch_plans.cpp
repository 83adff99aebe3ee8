// Looking after things costs little: no statement that runs by the clock reads the whole of a
// table, planned empty or not.

#include "sql/backlog.h"
#include "sql/drain.h"
#include "sql/recovery.h"
#include "tests/support/require.h"
#include "tests/support/stack.h"

#include <QTest>
#include <string>
#include <vector>

namespace {

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

/// 100,000 events: 20,000 workable, 30,000 waiting, the rest ended with their outcome rows.
constexpr const char* kFill = R"(
    INSERT INTO payment_events (event_no, event_id, event_type, source, user_id, asset, amount,
        trace_id, received_at, outcome, settled_at)
    SELECT n, 'e-' || n, 'deposit', 'payments', n % 2000 + 1, 'ETH', 1, 'trace',
        now() - interval '1 hour', CASE WHEN n > 50000 THEN 'confirmed' END,
        CASE WHEN n > 50000 THEN now() END
    FROM generate_series(1, 100000) n;
    INSERT INTO processed_events (event_no, idempotency_key, outcome)
    SELECT n, '', 'success' FROM generate_series(50001, 100000) n;
    INSERT INTO event_queue (event_no, user_id, lane)
    SELECT n, n % 2000 + 1, (n % 2000 + 1) % 64 FROM generate_series(1, 20000) n;
    INSERT INTO event_waits (event_no, user_id, lane, reason, due_at)
    SELECT n, n % 2000 + 1, (n % 2000 + 1) % 64, 'finality', 'infinity'
    FROM generate_series(20001, 50000) n)";

struct Measured
{
    pg::Statement statement;
    std::string parameters;
    std::int64_t most; // pages
};

std::vector<Measured> statements()
{
    const std::string fifty = "''{1,401,801,1201,1601,2001,2401,2801,3201,3601}''";
    return {
        {sql::kRecoveryEndedQueue, "", 10'000}, // the first thousand and what they refer to
        {sql::kRecoveryEndedWaits, "20000", 10'000},
        {sql::kRecoveryBounds, "", 20},
        {sql::kRecoveryLost, "50000, 100000", 10'000}, // fifty thousand, all of them ended
        {sql::kRecoveryLost, "0, 10000", 60'000}, // ten thousand with their work rows
        {sql::kRecoveryPutBack, fifty + ", 1, 3601", 300},
        {sql::kRecoveryRemoveQueue, fifty, 300},
        {sql::kRecoveryRemoveWaits, fifty, 300},
        {sql::kDrainRead, "15000, ''00000000-0000-4000-8000-000000000000''", 40},
        {sql::kBacklogCount, "200001", 2'000},
    };
}

std::string typesOf(const pg::Statement& statement)
{
    const std::string text{statement.text};
    const auto from = text.find("-- in: ");
    if (from == std::string::npos) return "";
    return "(" + text.substr(from + 7, text.find('\n', from) - from - 7) + ")";
}

class TestWatchPlans : public QObject
{
    Q_OBJECT

private slots:
    void plansMadeEmptyStayCheap_data();
    void plansMadeEmptyStayCheap();
};

void TestWatchPlans::plansMadeEmptyStayCheap_data()
{
    QTest::addColumn<QString>("mode");
    QTest::newRow("planned once") << "force_generic_plan";
    QTest::newRow("planned each time") << "force_custom_plan"; // as the daemon does
}

void TestWatchPlans::plansMadeEmptyStayCheap()
{
    QFETCH(QString, mode);
    // Nobody analyses the tables in between: plans know them as empty.
    support::TestStack stack{{"autovacuum=off"}};
    auto database = stack.createDatabase();
    database.run(kMeasure);
    auto connection = database.connect("countersign_processor");
    support::require(connection.runScript("SET plan_cache_mode = " + mode.toStdString()));
    const auto name = [](std::size_t i) { return "s" + std::to_string(i); };
    const auto measured = statements();
    const auto pages = [&](std::size_t i) {
        const std::string text = "SELECT pages('EXECUTE " + name(i)
            + (measured[i].parameters.empty() ? "" : "(" + measured[i].parameters + ")") + "')";
        return support::require(connection.run({"pages", text.c_str()})).bigint(0, 0);
    };
    for (std::size_t i = 0; i < measured.size(); ++i) {
        support::require(connection.runScript("PREPARE " + name(i) + typesOf(measured[i].statement)
            + " AS " + measured[i].statement.text));
        (void)pages(i);
    }
    database.run(kFill);

    for (std::size_t i = 0; i < measured.size(); ++i) {
        const auto touched = pages(i);
        QVERIFY2(touched <= measured[i].most,
            qPrintable(
                QString{"%1 touches %2 pages"}.arg(measured[i].statement.name).arg(touched)));
        qInfo("%s: %lld pages", measured[i].statement.name, static_cast<long long>(touched));
    }
}

} // namespace

QTEST_GUILESS_MAIN(TestWatchPlans)
#include "tst_watch_plans.moc"
