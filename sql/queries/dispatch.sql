-- What waited and is due becomes work: event_waits → event_queue, with a line in the log.

-- name: dispatch_due
-- in: bigint[], bigint
-- out: bigint, bigint, bigint, bigint, text, text, text, text, text, text
-- At most $2 due rows, locked, with what the log needs of their events (event id null: no such
-- event). $1 are set aside because they failed by themselves. Taken by due_at, so that a backlog
-- costs one walk along the index and never a sort of all that is due; the order of these locks does
-- not matter, because SKIP LOCKED waits for nobody. What follows runs in event_no order.
SELECT due.event_no, due.user_id, due.lane::bigint, due.attempts::bigint, event.event_id,
    event.event_type, event.merchant_id, event.asset, event.amount, event.trace_id
FROM (
    SELECT event_no, user_id, lane, attempts FROM event_waits
    WHERE due_at <= statement_timestamp() AND event_no <> ALL ($1)
    ORDER BY due_at, event_no
    LIMIT $2
    FOR UPDATE SKIP LOCKED
) AS due
LEFT JOIN LATERAL (
    SELECT e.event_id, e.event_type, e.merchant_id, e.asset, e.amount::text AS amount, e.trace_id
    FROM payment_events e WHERE e.event_no = due.event_no OFFSET 0
) AS event ON true
ORDER BY due.event_no

-- name: dispatch_end_waits
-- in: bigint[]
DELETE FROM event_waits WHERE event_no = ANY ($1)

-- name: dispatch_enqueue
-- in: bigint[], bigint[], smallint[], smallint[]
-- out: bigint
-- A row that stands in the queue already stays as it is, and is not announced a second time.
INSERT INTO event_queue (event_no, user_id, lane, attempts)
SELECT due.event_no, due.user_id, due.lane, due.attempts
FROM unnest($1, $2, $3, $4) AS due(event_no, user_id, lane, attempts)
ORDER BY due.event_no
ON CONFLICT (event_no) DO NOTHING
RETURNING event_no
