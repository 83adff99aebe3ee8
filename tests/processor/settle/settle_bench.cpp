#include "tests/processor/settle/settle_bench.h"

#include "processor/crypto/sha256.h"
#include "processor/domain/idempotency_key.h"
#include "tests/support/require.h"

#include <array>

namespace {

constexpr const char* kPut = R"(
    WITH event AS (
        INSERT INTO payment_events (event_no, event_id, event_type, source, user_id, asset, amount,
            merchant_id, original_event_id, chain, tx_hash, tx_position, trace_id)
        SELECT nextval('event_no_seq'), $2, $3, 'payments', $4, $5, $6::numeric, $7, $8,
            CASE WHEN $9 IS NOT NULL THEN 'eip155:1' END, $9, $10::integer[], 'trace-' || $2
        RETURNING event_no, user_id
    ), key AS (
        INSERT INTO event_keys (idempotency_key, event_no, fingerprint)
        SELECT $1, event_no, '' FROM event ON CONFLICT DO NOTHING
    )
    INSERT INTO event_queue (event_no, user_id, lane)
    SELECT event_no, user_id, user_id % 64 FROM event RETURNING event_no)";

constexpr const char* kComplaints = R"(
    SELECT string_agg(DISTINCT complaint, ', ') FROM (
    SELECT 'sums' AS complaint FROM balances b WHERE balance - debt <> initial_balance
        + (SELECT coalesce(sum(amount), 0) FROM balance_events j
            WHERE j.user_id = b.user_id AND j.asset = b.asset)
    UNION ALL SELECT 'version' FROM balances b WHERE version <>
        (SELECT count(*) FROM balance_events j WHERE j.user_id = b.user_id AND j.asset = b.asset)
    UNION ALL SELECT 'balance_after' FROM (
        SELECT DISTINCT ON (user_id, asset) user_id, asset, balance_after FROM balance_events
        ORDER BY user_id, asset, version DESC) last JOIN balances b USING (user_id, asset)
        WHERE balance_after <> balance - debt
    UNION ALL SELECT 'confirmed without journal' FROM payment_events e WHERE outcome = 'confirmed'
        AND (SELECT count(*) FROM balance_events j WHERE j.event_no = e.event_no
            AND j.source_event_id = e.event_id AND j.event_type = e.event_type
            AND abs(j.amount) = e.amount AND j.user_id = e.user_id AND j.asset = e.asset) <> 1
    UNION ALL SELECT 'journal without confirmed' FROM balance_events j WHERE NOT EXISTS (
        SELECT FROM payment_events e WHERE e.event_no = j.event_no AND e.outcome = 'confirmed')
    UNION ALL SELECT 'outcome row' FROM payment_events e
        LEFT JOIN processed_events p USING (event_no) WHERE p.outcome IS DISTINCT FROM CASE
            WHEN e.outcome = 'confirmed' THEN 'success'
            WHEN e.failure = 'insufficient_funds' THEN 'insufficient_funds' END
    UNION ALL SELECT 'key' FROM processed_events p JOIN event_keys k USING (event_no)
        WHERE p.idempotency_key <> k.idempotency_key
    UNION ALL SELECT 'notification' FROM payment_events e WHERE (outcome IS NOT NULL)::int <>
        (SELECT count(*) FROM notifications n WHERE n.event_no = e.event_no AND target = 'default')
    UNION ALL SELECT 'letter' FROM payment_events e WHERE
        (failure IS NOT NULL AND failure NOT IN ('insufficient_funds', 'duplicate_payment'))::int <>
        (SELECT count(*) FROM dead_letter_queue l WHERE l.event_no = e.event_no)
    UNION ALL SELECT 'ended but in work' FROM payment_events e WHERE outcome IS NOT NULL AND (
        EXISTS (SELECT FROM event_queue q WHERE q.event_no = e.event_no)
        OR EXISTS (SELECT FROM event_waits w WHERE w.event_no = e.event_no))
    UNION ALL SELECT 'log has gaps' FROM payment_log HAVING count(*) <> coalesce(max(no), 0)
    UNION ALL SELECT 'log line' FROM payment_events e WHERE (outcome IS NOT NULL)::int <>
        (SELECT count(*) FROM payment_log l WHERE l.event_no = e.event_no
            AND kind IN ('payment.confirmed', 'payment.refunded', 'payment.failed'))
    UNION ALL SELECT 'log of letter' FROM dead_letter_queue d WHERE NOT EXISTS (
        SELECT FROM payment_log l WHERE l.event_no = d.event_no AND kind = 'payment.dead_lettered')
    ) all_complaints)";

} // namespace

SettleBench::SettleBench(support::TestStack& stack) : m_database{stack.createDatabase()}
{
    m_alerter.addSink([this](const base::Alert& alert) {
        const std::scoped_lock lock{m_mutex};
        m_alertKeys.push_back(alert.key);
    });
    m_database.addUsers(1, 200);
}

std::int64_t SettleBench::put(const Given& given)
{
    const auto key = crypto::sha256(domain::idempotencyKeyBytes(given.id, given.type));
    pg::Params params;
    params.bytea(key).text(given.id).text(given.type).bigint(given.user).text(given.asset);
    params.text(given.amount).text(given.merchant).text(given.original).text(given.txHash);
    params.text(given.txPosition);
    auto connection = m_database.connect();
    return support::require(connection.run({"test_put", kPut}, params)).bigint(0, 0);
}

void SettleBench::putDeposits(const std::string& prefix, int count, int users)
{
    m_database.run("WITH given AS (SELECT nextval('event_no_seq') AS no, i, i % "
        + std::to_string(users) + " + 1 AS user_id FROM generate_series(1, " + std::to_string(count)
        + ") i), event AS (INSERT INTO payment_events (event_no, event_id, event_type, source,"
          " user_id, asset, amount, trace_id) SELECT no, '"
        + prefix
        + "-' || i, 'deposit', 'payments', user_id, 'ETH', 1, 'trace' FROM given"
          " RETURNING event_no, user_id)"
          " INSERT INTO event_queue (event_no, user_id, lane)"
          " SELECT event_no, user_id, user_id % 64 FROM event");
}

settle::SettlerParts SettleBench::parts()
{
    return {.database = {.url = m_database.url(), .user = "countersign_processor"},
        .log = m_log,
        .alerter = m_alerter,
        .wakeup = wakeup,
        .metrics = m_metrics,
        .liveSettlers = [] { return 1; },
        .onSettled =
            [this](std::span<const domain::EventNo> numbers) {
                const std::scoped_lock lock{m_mutex};
                for (const auto no : numbers) m_settled.push_back(no.value());
            },
        .version = "1.2.0"};
}

std::unique_ptr<settle::Settler> SettleBench::settler()
{
    return std::make_unique<settle::Settler>(parts());
}

settle::Report SettleBench::settleAll(settle::Settler& settler)
{
    settle::Report sum;
    for (;;) {
        const settle::Report report = settler.runOnce();
        sum.confirmed += report.confirmed;
        sum.refused += report.refused;
        sum.failed += report.failed;
        sum.endedBefore += report.endedBefore;
        sum.waiting += report.waiting;
        sum.deferred += report.deferred;
        sum.putOff += report.putOff;
        sum.broughtInLine += report.broughtInLine;
        sum.roundTrips += report.roundTrips;
        sum.isAway |= report.isAway;
        if (report.error) sum.error = report.error;
        if (!report.progressed) return sum;
    }
}

settle::Report SettleBench::settleAll()
{
    return settleAll(*settler());
}

std::string SettleBench::state(std::int64_t no)
{
    return m_database.value("SELECT status || coalesce(' ' || failure, '') FROM payment_status"
                            " WHERE event_no = "
        + std::to_string(no));
}

std::int64_t SettleBench::count(const std::string& table, const std::string& where)
{
    return std::stoll(m_database.value("SELECT count(*) FROM " + table + " WHERE " + where));
}

void SettleBench::refuse(const std::string& id)
{
    m_database.run("ALTER TABLE balance_events ADD CONSTRAINT refused CHECK (source_event_id <> '"
        + id + "')");
}

void SettleBench::makeDue(std::int64_t no)
{
    m_database.run("WITH due AS (DELETE FROM event_waits WHERE event_no = " + std::to_string(no)
        + " RETURNING event_no, user_id, lane, attempts)"
          " INSERT INTO event_queue (event_no, user_id, lane, attempts) SELECT * FROM due");
}

std::string SettleBench::complaints()
{
    return m_database.value(kComplaints);
}

std::vector<std::string> SettleBench::alertKeys()
{
    const std::scoped_lock lock{m_mutex};
    return m_alertKeys;
}

std::vector<std::int64_t> SettleBench::settledNumbers()
{
    const std::scoped_lock lock{m_mutex};
    return m_settled;
}
