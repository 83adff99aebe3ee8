-- Alerts for the console and the command line; written by one background thread.

-- name: alert_upsert
-- in: text, text, text, bigint, bigint, jsonb, text
-- $4 is how many microseconds ago it was raised, $5 how often, $7 its trace id. An alert that was
-- resolved opens anew; one that a person has acknowledged stays acknowledged.
INSERT INTO alerts AS known (key, severity, message, first_at, last_at, count, detail)
SELECT $1, $2, $3, raised.at, raised.at, $5,
    coalesce($6, '{}'::jsonb) || jsonb_strip_nulls(jsonb_build_object('trace_id', $7::text))
FROM (SELECT clock_timestamp() - $4 * interval '1 microsecond' AS at) AS raised
ON CONFLICT (key) DO UPDATE
SET severity = excluded.severity, message = excluded.message, detail = excluded.detail,
    count = known.count + excluded.count,
    last_at = greatest(known.last_at, excluded.last_at),
    first_at = CASE known.state WHEN 'resolved' THEN excluded.first_at ELSE known.first_at END,
    state = CASE known.state WHEN 'resolved' THEN 'open' ELSE known.state END
