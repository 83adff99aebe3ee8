-- The last steps of every transaction that logs: lock the tail, append, COMMIT. Two statements,
-- because the second must take its snapshot after the lock was granted.

-- name: log_tail_lock
-- out: integer
SELECT 1 FROM log_tail FOR UPDATE

-- name: log_append
-- in: bigint, text, bigint[], text[], text[], text[], text[], bigint[], text[], text[], text[], text[]
-- out: bigint, bigint
-- $1 is the highest number this process has seen committed: max(no) then reads one partition. If
-- nothing stands there the log went back in time (a restore), and the true end is looked for.
WITH tail AS (
    SELECT coalesce(
        (SELECT max(no) FROM payment_log WHERE no >= $1),
        (SELECT max(no) FROM payment_log),
        0) AS no
), added AS (
    INSERT INTO payment_log (no, actor, event_no, kind, trace_id, payment_id, event_type, user_id,
        merchant_id, asset, amount, detail)
    SELECT tail.no + entry.ord, $2, entry.event_no, entry.kind, entry.trace_id, entry.payment_id,
        entry.event_type, entry.user_id, entry.merchant_id, entry.asset, entry.amount::numeric,
        entry.detail::jsonb
    FROM tail, unnest($3, $4, $5, $6, $7, $8, $9, $10, $11, $12) WITH ORDINALITY
        AS entry(event_no, kind, trace_id, payment_id, event_type, user_id, merchant_id, asset,
            amount, detail, ord)
    RETURNING no
)
SELECT max(no), count(*) FROM added
