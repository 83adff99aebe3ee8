-- Recovery: work that was left behind. It looks first without any lock, then looks again under the
-- lanes' locks before it changes anything.

-- name: recovery_ended_queue
-- out: bigint, bigint
-- Work rows at the front of the queue whose event ended a minute ago. An event whose outcome row
-- contradicts it is the settlers' affair: it gets a letter.
SELECT q.event_no, q.user_id
FROM (SELECT event_no, user_id FROM event_queue ORDER BY event_no LIMIT 1000) AS q
CROSS JOIN LATERAL (
    SELECT p.outcome, p.failure, p.settled_at FROM payment_events p
    WHERE p.event_no = q.event_no OFFSET 0
) AS e
LEFT JOIN LATERAL (
    SELECT d.outcome FROM processed_events d WHERE d.event_no = q.event_no OFFSET 0
) AS done ON true
WHERE e.settled_at < statement_timestamp() - interval '1 minute'
    AND (e.settled_at < statement_timestamp() - interval '13 days'
        OR done.outcome IS NOT DISTINCT FROM CASE
            WHEN e.outcome = 'confirmed' THEN 'success'
            WHEN e.failure = 'insufficient_funds' THEN 'insufficient_funds' END)
ORDER BY q.event_no
LIMIT 50

-- name: recovery_ended_waits
-- in: bigint
-- out: bigint, bigint, boolean
-- The same for what waits, a page of 1,000 after $1, with the page's last row in any case. Last
-- column: to be removed.
SELECT w.event_no, w.user_id, coalesce(
    e.settled_at < statement_timestamp() - interval '1 minute'
        AND (e.settled_at < statement_timestamp() - interval '13 days'
            OR done.outcome IS NOT DISTINCT FROM CASE
                WHEN e.outcome = 'confirmed' THEN 'success'
                WHEN e.failure = 'insufficient_funds' THEN 'insufficient_funds' END), false)
FROM (SELECT event_no, user_id, lead(event_no) OVER (ORDER BY event_no) IS NULL AS is_last
    FROM (SELECT event_no, user_id FROM event_waits WHERE event_no > $1
        ORDER BY event_no LIMIT 1000) AS page) AS w
LEFT JOIN LATERAL (
    SELECT p.outcome, p.failure, p.settled_at FROM payment_events p
    WHERE p.event_no = w.event_no OFFSET 0
) AS e ON true
LEFT JOIN LATERAL (
    SELECT d.outcome FROM processed_events d WHERE d.event_no = w.event_no OFFSET 0
) AS done ON true
WHERE e.settled_at IS NOT NULL OR w.is_last
ORDER BY w.event_no

-- name: recovery_lock_lanes
-- in: smallint[]
-- out: smallint
SELECT lane FROM lanes WHERE lane = ANY ($1) ORDER BY lane FOR UPDATE

-- name: recovery_remove_queue
-- in: bigint[]
-- out: bigint
DELETE FROM event_queue q
WHERE q.event_no = ANY ($1) AND EXISTS (
    SELECT FROM payment_events p WHERE p.event_no = q.event_no AND p.outcome IS NOT NULL)
RETURNING q.event_no

-- name: recovery_remove_waits
-- in: bigint[]
-- out: bigint
DELETE FROM event_waits w
WHERE w.event_no = ANY ($1) AND EXISTS (
    SELECT FROM payment_events p WHERE p.event_no = w.event_no AND p.outcome IS NOT NULL)
RETURNING w.event_no

-- name: recovery_bounds
-- out: bigint, bigint
-- The first and the last event there are.
SELECT coalesce((SELECT min(event_no) FROM payment_events), 0),
    coalesce((SELECT max(event_no) FROM payment_events), 0)

-- name: recovery_lost
-- in: bigint, bigint
-- out: bigint, bigint
-- Events after $1 up to $2 that nobody works on: no outcome, no work row. Each is judged in one
-- snapshot, in which intake, dispatch and settlement have moved it whole or not at all.
SELECT e.event_no, e.user_id
FROM payment_events e
WHERE e.event_no > $1 AND e.event_no <= $2 AND e.outcome IS NULL
    AND e.received_at < statement_timestamp() - interval '1 minute'
    AND NOT EXISTS (SELECT FROM event_queue q WHERE q.event_no = e.event_no)
    AND NOT EXISTS (SELECT FROM event_waits w WHERE w.event_no = e.event_no)
ORDER BY e.event_no
LIMIT 50

-- name: recovery_put_back
-- in: bigint[], bigint, bigint
-- out: bigint, bigint, text, text, text, text, text, text, boolean
-- Work again, as intake would have it: a credit of a transaction on a chain waits for finality,
-- whatever it waited for before. Last column: it waits.
WITH lost AS MATERIALIZED (
    SELECT e.event_no, e.user_id, (e.user_id % 64)::smallint AS lane, e.event_id, e.event_type,
        e.merchant_id, e.asset, trim_scale(e.amount)::text AS amount, e.trace_id, e.chain,
        e.tx_hash IS NOT NULL AND e.event_type IN ('deposit', 'airdrop') AS waits
    FROM payment_events e
    WHERE e.event_no = ANY ($1) AND e.event_no BETWEEN $2 AND $3 AND e.outcome IS NULL
        AND NOT EXISTS (SELECT FROM event_queue q WHERE q.event_no = e.event_no)
        AND NOT EXISTS (SELECT FROM event_waits w WHERE w.event_no = e.event_no)
), waiting AS (
    INSERT INTO event_waits (event_no, user_id, lane, reason, chain, due_at)
    SELECT event_no, user_id, lane, 'finality', chain, 'infinity' FROM lost WHERE waits
    ORDER BY event_no
), queued AS (
    INSERT INTO event_queue (event_no, user_id, lane)
    SELECT event_no, user_id, lane FROM lost WHERE NOT waits ORDER BY event_no
)
SELECT event_no, user_id, event_id, event_type, merchant_id, asset, amount, trace_id, waits
FROM lost ORDER BY event_no
