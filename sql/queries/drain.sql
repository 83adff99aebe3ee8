-- Copies of dead letters on their way back from Redis, one transaction each: lane, what stands
-- there, writes, tail of the log.

-- name: drain_lock_lane
-- in: bigint
-- out: smallint
SELECT lane FROM lanes WHERE lane = $1 FOR UPDATE

-- name: drain_read
-- in: bigint, text
-- out: text, text, bigint, text, text, text, text, text, bigint, boolean, boolean
-- The event with its work row's attempts (null: none in the queue), whether it waits, and whether
-- the letter $2 is there. Read after the lane's lock, which keeps its work where it is.
SELECT e.event_id, e.event_type, e.user_id, e.asset, trim_scale(e.amount)::text, e.merchant_id,
    e.trace_id, e.outcome,
    (SELECT q.attempts::bigint FROM event_queue q WHERE q.event_no = $1),
    EXISTS (SELECT FROM event_waits w WHERE w.event_no = $1),
    EXISTS (SELECT FROM dead_letter_queue l WHERE l.letter_uid = $2::uuid)
FROM payment_events e
WHERE e.event_no = $1

-- name: drain_end_event
-- in: bigint, text
UPDATE payment_events SET outcome = 'failed', failure = $2, settled_at = clock_timestamp()
WHERE event_no = $1 AND outcome IS NULL

-- name: drain_write_letter
-- in: bigint, text, text, text, text, smallint, text
INSERT INTO dead_letter_queue (letter_uid, event_no, event_id, event_type, source, user_id, asset,
    amount, merchant_id, error, error_class, cause, attempt, trace_id, state)
SELECT $2::uuid, e.event_no, e.event_id, e.event_type, e.source, e.user_id, e.asset, e.amount,
    e.merchant_id, $3, $4, $5, $6, e.trace_id, $7
FROM payment_events e
WHERE e.event_no = $1

-- name: drain_notify
-- in: bigint
INSERT INTO notifications (event_no, kind, target) VALUES ($1, 'failed', 'default')
ON CONFLICT (event_no, kind, target) DO NOTHING

-- name: drain_delete_work
-- in: bigint
DELETE FROM event_queue WHERE event_no = $1

-- name: drain_quarantine
-- in: text, text, bytea, bytea
-- Passes by a row that a person holds, as intake does.
WITH free AS (
    SELECT q.id FROM quarantine q WHERE q.body_sha256 = $3 FOR UPDATE SKIP LOCKED
), counted AS (
    UPDATE quarantine q SET count = q.count + 1, last_seen = clock_timestamp()
    FROM free WHERE q.id = free.id
)
INSERT INTO quarantine AS known (source, reason, detail, body_sha256, body)
SELECT 'dlq', $1, $2, $3, $4
WHERE NOT EXISTS (SELECT FROM quarantine q WHERE q.body_sha256 = $3)
ON CONFLICT (body_sha256) DO UPDATE
SET count = known.count + 1, last_seen = clock_timestamp()
