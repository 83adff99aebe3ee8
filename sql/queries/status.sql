-- What /status and the gauges show. Read beside the money path, so every count is bounded.

-- name: status_work
-- out: bigint, bigint, bigint, bigint
-- Enqueued, pending, dead letters still open, and the age in milliseconds of the oldest workable
-- event (null when there is none). Each count stops at a million and one: beyond that the exact
-- number tells nobody anything and costs the queue.
SELECT
    (SELECT count(*) FROM (SELECT FROM event_queue LIMIT 1000001) AS row),
    (SELECT count(*) FROM (SELECT FROM event_waits LIMIT 1000001) AS row),
    (SELECT count(*) FROM (
        SELECT FROM dead_letter_queue WHERE state = 'open' LIMIT 1000001) AS row),
    (SELECT (extract(epoch FROM clock_timestamp() - e.received_at) * 1000)::bigint
        FROM payment_events e WHERE e.event_no = (SELECT min(event_no) FROM event_queue))

-- name: status_log_last
-- in: bigint
-- out: bigint
-- $1 is the highest number known, so that one partition is read; 0 when the log is empty.
SELECT coalesce(
    (SELECT max(no) FROM payment_log WHERE no >= $1),
    (SELECT max(no) FROM payment_log),
    0)

-- name: status_estimates
-- out: bigint, bigint
-- Journal rows and events ever taken in, from the server's own statistics: a count would read the
-- whole history. They trail by about a second.
SELECT pg_stat_get_live_tuples('balance_events'::regclass),
    (SELECT coalesce(sum(pg_stat_get_live_tuples(inhrelid)), 0)::bigint
        FROM pg_inherits WHERE inhparent = 'payment_events'::regclass)

-- name: status_positions
-- out: text, bigint
SELECT group_name, low FROM stream_positions ORDER BY group_name

-- name: status_schema
-- out: bigint, bigint
-- Reads what every part needs first; fails with 42P01 where the schema is missing.
SELECT coalesce(max(number), 0)::bigint, count(*) FROM schema_migrations
