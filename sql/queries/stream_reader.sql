-- What the reader of a group asks about the entries it holds. Their numbers are those of the log,
-- so an entry whose body was trimmed or deleted is asked about like any other.

-- name: reader_working
-- in: bigint[], bigint, bigint
-- out: bigint
-- Those of the numbers $1 (between $2 and $3) whose event still has a row in the queue.
SELECT announced.no
FROM (SELECT no, event_no FROM payment_log
    WHERE no = ANY ($1) AND no BETWEEN $2 AND $3 OFFSET 0) AS announced
CROSS JOIN LATERAL (SELECT q.event_no FROM event_queue q
    WHERE q.event_no = announced.event_no OFFSET 0) AS working

-- name: reader_events
-- in: bigint[], bigint, bigint
-- out: bigint, bigint
SELECT no, event_no FROM payment_log WHERE no = ANY ($1) AND no BETWEEN $2 AND $3 ORDER BY no
