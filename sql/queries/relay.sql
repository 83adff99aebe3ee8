-- The log on its way into the stream, and the positions that come back.

-- name: relay_read
-- in: bigint
-- out: bigint, text, text, text, bigint, text, text, text, text, timestamp with time zone, text
-- The next numbers after $1. The log has no gaps, so the bounds limit the rows and prune
-- partitions. The epoch comes from the same snapshot: entries are never marked with a newer one
-- than their rows.
SELECT no, kind, payment_id, event_type, user_id, merchant_id, asset, trim_scale(amount)::text,
    trace_id, at, (SELECT left(epoch::text, 8) FROM log_tail)
FROM payment_log
WHERE no > $1 AND no <= $1 + 500
ORDER BY no

-- name: relay_row
-- in: bigint
-- out: bigint, text, text, text, bigint, text, text, text, text, timestamp with time zone, text
-- One line, to be compared with the stream's entry of that number.
SELECT no, kind, payment_id, event_type, user_id, merchant_id, asset, trim_scale(amount)::text,
    trace_id, at, (SELECT left(epoch::text, 8) FROM log_tail)
FROM payment_log
WHERE no = $1

-- name: relay_bounds
-- out: bigint, bigint, text
-- First and last number of the log (0 when it is empty), and its epoch.
SELECT coalesce((SELECT min(no) FROM payment_log), 0),
    coalesce((SELECT max(no) FROM payment_log), 0),
    (SELECT left(epoch::text, 8) FROM log_tail)

-- name: relay_last
-- in: bigint
-- out: bigint
-- Highest number at or above $1, so that one partition is read; 0 when there is none.
SELECT coalesce((SELECT max(no) FROM payment_log WHERE no >= $1), 0)

-- name: relay_positions
-- out: text, bigint
SELECT group_name, low FROM stream_positions ORDER BY group_name

-- name: relay_positions_add
-- in: text[]
-- A group that was never heard of begins with the log.
INSERT INTO stream_positions (group_name)
SELECT name FROM unnest($1) AS name ORDER BY name COLLATE "C"
ON CONFLICT (group_name) DO NOTHING

-- name: relay_positions_store
-- in: text[], bigint[], text, bigint, text, text, text, text
-- Positions seen in a stream count only if that stream tells this very log's story: same epoch
-- ($3), and the stream's last entry ($4 to $8) is the line of that number. So after a restore or a
-- failover to an older primary every position stored here still lies before the point where the two
-- parted, and a rebuild from the positions skips nothing.
INSERT INTO stream_positions AS known (group_name, low, epoch)
SELECT given.group_name, given.low, tail.epoch
FROM (SELECT group_name, low FROM unnest($1, $2) AS listed(group_name, low)
    ORDER BY group_name COLLATE "C" OFFSET 0) AS given
CROSS JOIN log_tail AS tail
WHERE left(tail.epoch::text, 8) = $3
    AND EXISTS (SELECT FROM payment_log AS line
        WHERE line.no = $4 AND line.kind = $5 AND line.payment_id = $6 AND line.trace_id = $7
            AND to_char(line.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') = $8)
ON CONFLICT (group_name) DO UPDATE
SET low = greatest(known.low, excluded.low), epoch = excluded.epoch
WHERE known.low < excluded.low OR known.epoch IS DISTINCT FROM excluded.epoch

-- name: relay_positions_lock
-- out: text
SELECT group_name FROM stream_positions ORDER BY group_name COLLATE "C" FOR UPDATE

-- name: relay_positions_clamp
-- No group can have acknowledged what this log does not hold.
UPDATE stream_positions
SET low = least(low, coalesce((SELECT max(no) FROM payment_log), 0)), epoch = NULL

-- name: relay_epoch_renew
-- in: text
-- out: text
-- Nothing when another relay has done it meanwhile.
UPDATE log_tail SET epoch = gen_random_uuid() WHERE left(epoch::text, 8) = $1
RETURNING left(epoch::text, 8)
