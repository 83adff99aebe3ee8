-- Whether the books are right, asked from outside the processor.

-- name: audit_accounts
-- out: bigint
SELECT count(*) FROM balances

-- name: audit_sums
-- out: bigint, text, text, text
-- Accounts for which balance - debt = initial_balance + sum of the journal does not hold.
SELECT b.user_id, b.asset, (b.balance - b.debt)::text,
    (b.initial_balance + coalesce(j.total, 0))::text
FROM balances b
LEFT JOIN (SELECT user_id, asset, sum(amount) AS total
        FROM balance_events GROUP BY user_id, asset) j
    ON j.user_id = b.user_id AND j.asset = b.asset
WHERE b.balance - b.debt <> b.initial_balance + coalesce(j.total, 0)
    OR b.balance < 0 OR b.debt < 0 OR (b.balance <> 0 AND b.debt <> 0)
LIMIT 20

-- name: audit_chains
-- out: bigint
-- Journal rows that do not continue the row before them: version and balance_after tell a fork.
SELECT count(*) FROM (
    SELECT e.version - row_number() OVER account AS skipped,
        e.balance_after - b.initial_balance - sum(e.amount) OVER account AS off
    FROM balance_events e JOIN balances b ON b.user_id = e.user_id AND b.asset = e.asset
    WINDOW account AS (PARTITION BY e.user_id, e.asset ORDER BY e.version)) AS chain
WHERE skipped <> 0 OR off <> 0

-- name: audit_double_credits
-- out: bigint
-- Journal rows beyond the first of one source event, and ended events whose number of journal rows
-- is not what their outcome says.
SELECT (SELECT coalesce(sum(n - 1), 0)::bigint FROM (
        SELECT count(*) AS n FROM balance_events GROUP BY source_event_id, event_type) AS source
        WHERE n > 1)
    + (SELECT count(*) FROM (
        SELECT e.event_no, e.outcome, count(j.id) AS rows
        FROM payment_events e LEFT JOIN balance_events j ON j.event_no = e.event_no
        WHERE e.outcome IS NOT NULL GROUP BY e.event_no, e.outcome) AS ended
        WHERE rows <> CASE outcome WHEN 'confirmed' THEN 1 ELSE 0 END)

-- name: audit_work
-- out: bigint
-- Whether anything is still to be done; asked often, so it looks at the narrow tables alone.
SELECT (SELECT count(*) FROM event_queue) + (SELECT count(*) FROM event_waits)

-- name: audit_leftover_work
-- out: bigint
-- Work rows of events that have ended.
SELECT count(*) FROM payment_events e
WHERE outcome IS NOT NULL AND (EXISTS (SELECT FROM event_queue q WHERE q.event_no = e.event_no)
    OR EXISTS (SELECT FROM event_waits w WHERE w.event_no = e.event_no))

-- name: audit_last_event
-- out: bigint
SELECT coalesce(max(event_no), 0) FROM payment_events

-- name: audit_outcomes
-- in: bigint
-- out: text, text, text, text
SELECT event_id, event_type, outcome, failure FROM payment_events WHERE event_no > $1

-- name: audit_pairs
-- in: bigint, bigint
-- out: bigint
-- Users whose two withdrawals together exceed their balance, and of whom not exactly one passed –
-- ever, for a kept folder has seen several runs and nobody pays in.
SELECT count(*) FROM (
    SELECT u.id, count(*) FILTER (WHERE e.outcome = 'confirmed') AS passed
    FROM users u JOIN payment_events e ON e.user_id = u.id
    WHERE u.id BETWEEN $1 AND $2 GROUP BY u.id) AS pair
WHERE passed <> 1

-- name: audit_log_shape
-- out: bigint, bigint, bigint
SELECT count(*), coalesce(min(no), 0), coalesce(max(no), 0) FROM payment_log

-- name: audit_log_page
-- in: bigint
-- out: bigint, text, text
SELECT no, kind, payment_id FROM payment_log WHERE no > $1 ORDER BY no LIMIT 5000

-- name: audit_log_unpaired
-- out: bigint
-- Ended events that do not have one line for their ending and at least one for their beginning.
SELECT count(*) FROM (
    SELECT e.event_no, count(*) FILTER (WHERE l.kind = 'payment.enqueued') AS begun,
        count(*) FILTER (WHERE l.kind IN ('payment.confirmed', 'payment.failed')) AS ended
    FROM payment_events e JOIN payment_log l ON l.event_no = e.event_no
    WHERE e.outcome IS NOT NULL GROUP BY e.event_no) AS line
WHERE begun < 1 OR ended <> 1

-- name: latency_last
-- out: bigint
SELECT coalesce(max(no), 0) FROM payment_log

-- name: latency_confirmed
-- in: bigint
-- out: bigint, text, text
-- Numbers become visible in their order, so whoever follows them misses none.
SELECT no, kind, payment_id FROM payment_log WHERE no > $1 ORDER BY no
