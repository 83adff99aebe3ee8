-- How much work waits, for intake to slow down in time.

-- name: backlog_count
-- in: bigint
-- out: bigint
-- Workable rows and retries, each counted up to $1: beyond the limit the exact number tells
-- nothing.
SELECT (SELECT count(*) FROM (SELECT FROM event_queue LIMIT $1) AS work)
    + (SELECT count(*) FROM (SELECT FROM event_waits WHERE reason = 'retry' LIMIT $1) AS retries)
