-- Dead letters, for the command line.

-- name: letters_list
-- in: bigint, text, text, bigint
-- out: bigint, text, text, text, text, bigint, text, text, text, bigint, text, timestamp with time zone, text, text
-- Newest first, below $1 unless that is null; of the cause $2 and in the state $3 unless null.
SELECT id, letter_uid::text, state, event_id, event_type, user_id, asset, trim_scale(amount)::text,
    error_class, attempt::bigint, cause, created_at, error, trace_id
FROM dead_letter_queue
WHERE ($1 IS NULL OR id < $1) AND ($2 IS NULL OR cause = $2) AND ($3 IS NULL OR state = $3)
ORDER BY id DESC
LIMIT $4

-- name: letters_show
-- in: bigint
-- out: bigint, text, text, text, text, bigint, text, text, text, bigint, text, timestamp with time zone, text, text
SELECT id, letter_uid::text, state, event_id, event_type, user_id, asset, trim_scale(amount)::text,
    error_class, attempt::bigint, cause, created_at, error, trace_id
FROM dead_letter_queue WHERE id = $1

-- name: letters_event
-- in: bigint
-- out: bigint, text, text, text, text, text, timestamp with time zone, timestamp with time zone, bigint
-- The event of letter $1 as it stands now: number, source, merchant, transaction, status, failure,
-- when it came, when it ended, failed attempts of its work row.
SELECT e.event_no, e.source, e.merchant_id, e.tx_hash,
    CASE WHEN e.outcome IS NOT NULL THEN e.outcome
        WHEN q.attempts IS NOT NULL THEN 'enqueued'
        WHEN w.attempts IS NOT NULL THEN 'pending' END,
    e.failure, e.received_at, e.settled_at, coalesce(q.attempts, w.attempts)::bigint
FROM (SELECT event_no FROM dead_letter_queue WHERE id = $1) AS letter
JOIN LATERAL (SELECT p.* FROM payment_events p
    WHERE p.event_no = letter.event_no OFFSET 0) AS e ON true
LEFT JOIN LATERAL (SELECT attempts FROM event_queue
    WHERE event_no = letter.event_no OFFSET 0) AS q ON true
LEFT JOIN LATERAL (SELECT attempts FROM event_waits
    WHERE event_no = letter.event_no OFFSET 0) AS w ON true

-- name: letters_history
-- in: bigint
-- out: bigint, timestamp with time zone, text, text, text, bigint, text
-- Every attempt of letter $1's event that failed, in order; with letter id and state where it has
-- one, null where another attempt followed.
SELECT a.attempt::bigint, a.at, a.error_class, a.error, a.cause, a.letter, a.state
FROM (SELECT event_no FROM dead_letter_queue WHERE id = $1) AS shown
CROSS JOIN LATERAL (
    SELECT attempt, at, error_class, error, cause, NULL::bigint AS letter, NULL::text AS state
    FROM event_attempts WHERE event_no = shown.event_no
    UNION ALL
    SELECT attempt, created_at, error_class, error, cause, id, state
    FROM dead_letter_queue WHERE event_no = shown.event_no
    OFFSET 0
) AS a
ORDER BY a.at, a.letter NULLS FIRST
