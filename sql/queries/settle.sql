-- Settlement of one batch. The order of locks is lanes, work, (claims), balances,
-- merchant_balances, writes, log_tail. No statement joins an array to a table by the planner's
-- choice: arrays are bounds of an index scan (= ANY with BETWEEN, so that partitions are pruned) or
-- drive a LATERAL subquery that OFFSET 0 keeps in one piece. Text that orders locks is compared by
-- its bytes, like in C++, whatever the database's collation.

-- name: settle_queue_last
-- out: bigint
SELECT coalesce(max(event_no), 0) FROM event_queue

-- name: settle_take_lanes
-- in: integer, integer
-- out: text
-- At most $2 free lanes: those of the queue's front first, in turning order from $1 on. Of a short
-- queue only lanes that have work are locked; one of 64 rows or more takes any. The lanes travel to
-- the later statements of the transaction in countersign.lanes.
WITH ahead AS MATERIALIZED (
    SELECT lane FROM event_queue ORDER BY event_no LIMIT 64
)
SELECT set_config('countersign.lanes', ARRAY(
    SELECT lane FROM lanes
    WHERE (SELECT count(*) FROM ahead) = 64 OR lane = ANY (ARRAY(SELECT lane FROM ahead))
    ORDER BY lane = ANY (ARRAY(SELECT lane FROM ahead)) DESC, (lane - $1 + 64) % 64
    LIMIT $2
    FOR UPDATE SKIP LOCKED
)::text, true)

-- name: settle_take_events
-- in: bigint, bigint, integer, bigint, bigint[], text[]
-- out: bigint, bigint, smallint, smallint, text, text, text, text, text, text, text, boolean, boolean, boolean, bigint
-- The work of the lanes in order of receipt with its events, at most $3 rows and about 120 KB of
-- answer including the accounts' share; only event $4 unless that is null. $1 and $2 are bounds
-- that prune partitions: a hint, since a row without its event is read again without them. Accounts
-- of $5 and $6 are set aside for now: NOT IN, for only that is looked up in a hash.
-- Outcome and waiting retries are read in one snapshot with the queue, under the lanes' lock: a
-- retry either still waits here or is back in the queue.
-- The accounts, sorted and each once, travel on in countersign.users and countersign.assets.
WITH due AS (
    SELECT q.event_no, q.user_id, q.attempts, q.tries, e.event_id, e.event_type, e.asset, e.amount,
        e.merchant_id, e.trace_id, e.original_event_id, e.ended, e.has_tx, e.is_overdue
    FROM event_queue q
    LEFT JOIN LATERAL (
        SELECT p.event_id, p.event_type, p.asset, trim_scale(p.amount)::text AS amount,
            p.merchant_id, p.trace_id, p.original_event_id, p.outcome IS NOT NULL AS ended,
            p.tx_hash IS NOT NULL AS has_tx,
            p.received_at < statement_timestamp() - interval '15 minutes' AS is_overdue
        FROM payment_events p
        WHERE p.event_no = q.event_no AND p.event_no BETWEEN $1 AND $2
        OFFSET 0
    ) e ON true
    WHERE (SELECT current_setting('countersign.lanes')) <> '{}'
        AND q.lane = ANY (ARRAY(SELECT unnest(current_setting('countersign.lanes')::smallint[])))
        AND ($4 IS NULL OR q.event_no = $4)
        AND (cardinality($5) = 0 OR (q.user_id, coalesce(e.asset, '')) NOT IN (
            SELECT aside.user_id, aside.asset FROM unnest($5, $6) AS aside(user_id, asset)))
    ORDER BY q.event_no
    LIMIT 500
), front AS MATERIALIZED (
    SELECT * FROM due ORDER BY event_no LIMIT $3
), sized AS (
    SELECT front.*,
        sum(200 + octet_length(event_id) + octet_length(trace_id)
            + coalesce(octet_length(merchant_id), 0)
            + coalesce(octet_length(original_event_id), 0)) OVER w AS octets,
        row_number() OVER w AS nth
    FROM front
    WINDOW w AS (ORDER BY event_no ROWS UNBOUNDED PRECEDING)
), kept AS MATERIALIZED (
    SELECT * FROM sized WHERE nth = 1 OR coalesce(octets, 0) < 120000
), account AS (
    SELECT DISTINCT user_id, asset FROM kept WHERE asset IS NOT NULL
), noted AS MATERIALIZED (
    SELECT set_config('countersign.users',
            coalesce(array_agg(user_id ORDER BY user_id, asset COLLATE "C"), '{}')::text,
            true) AS users,
        set_config('countersign.assets',
            coalesce(array_agg(asset ORDER BY user_id, asset COLLATE "C"), '{}')::text,
            true) AS assets
    FROM account
)
SELECT kept.event_no, kept.user_id, kept.attempts, kept.tries, kept.event_id, kept.event_type,
    kept.asset, kept.amount, kept.merchant_id, kept.trace_id, kept.original_event_id, kept.ended,
    kept.has_tx, kept.is_overdue,
    (SELECT min(waiting.event_no) FROM (
        SELECT w.event_no FROM event_waits w
        WHERE w.user_id = kept.user_id AND w.reason = 'retry'
            AND coalesce(w.asset, kept.asset) = kept.asset
        OFFSET 0) waiting)
FROM noted CROSS JOIN kept
ORDER BY kept.event_no

-- name: settle_lock_accounts
-- out: bigint, text, text, text, bigint, boolean
-- Rows of the accounts that nobody else holds, missing ones inserted first as zero rows. An account
-- that does not come back is held by somebody else. False: its user is gone; no row then.
WITH account AS MATERIALIZED (
    SELECT user_id, asset
    FROM unnest(current_setting('countersign.users')::bigint[],
        current_setting('countersign.assets')::text[]) AS noted(user_id, asset)
), held AS MATERIALIZED (
    SELECT account.user_id, account.asset, b.balance, b.debt, b.version, u.is_known
    FROM account
    LEFT JOIN LATERAL (
        SELECT balance, debt, version FROM balances
        WHERE user_id = account.user_id AND asset = account.asset
        FOR NO KEY UPDATE SKIP LOCKED
    ) b ON true
    LEFT JOIN LATERAL (
        SELECT true AS is_known FROM users WHERE id = account.user_id OFFSET 0
    ) u ON true
), added AS (
    INSERT INTO balances (user_id, asset)
    SELECT user_id, asset FROM held WHERE version IS NULL AND is_known
    ORDER BY user_id, asset COLLATE "C"
    ON CONFLICT (user_id, asset) DO NOTHING
    RETURNING user_id, asset, version
)
SELECT user_id, asset, trim_scale(balance)::text, trim_scale(debt)::text, version, true
FROM held WHERE version IS NOT NULL AND is_known
UNION ALL
SELECT user_id, asset, '0', '0', version, true FROM added
UNION ALL
SELECT user_id, asset, '0', '0', 0, false FROM held WHERE is_known IS NULL

-- name: settle_read_originals
-- in: bytea[]
-- out: bigint, text, bigint, text, text, text, text, text, bigint
-- Deposits by their idempotency keys, with the sum of their refunds and the number of reversals
-- that no renewed credit has made good.
SELECT e.event_no, e.event_id, e.user_id, e.asset, trim_scale(e.amount)::text, e.merchant_id,
    e.outcome, trim_scale(r.refunded)::text, r.reversals
FROM (SELECT DISTINCT wanted.key FROM unnest($1) AS wanted(key) ORDER BY 1 OFFSET 0) k
CROSS JOIN LATERAL (
    SELECT g.event_no FROM event_keys g WHERE g.idempotency_key = k.key OFFSET 0
) g
CROSS JOIN LATERAL (
    SELECT p.event_no, p.event_id, p.user_id, p.asset, p.amount, p.merchant_id, p.outcome
    FROM payment_events p WHERE p.event_no = g.event_no OFFSET 0
) e
CROSS JOIN LATERAL (
    SELECT coalesce(sum(d.amount) FILTER (WHERE d.event_type = 'refund'), 0) AS refunded,
        count(*) FILTER (WHERE d.event_type = 'reorg_reversal')
            - count(*) FILTER (WHERE d.event_type = 'reorg_credit') AS reversals
    FROM deposit_returns d WHERE d.original_no = e.event_no OFFSET 0
) r

-- name: settle_newer_instance
-- in: text
-- out: boolean
-- Whether an instance of a newer version than $1 has given a sign of life: it may know more types.
SELECT EXISTS (
    SELECT FROM processor_instances
    WHERE heartbeat_at > statement_timestamp() - interval '15 seconds'
        AND version ~ '^[0-9]{1,8}([.][0-9]{1,8})*$'
        AND string_to_array(version, '.')::integer[] > string_to_array($1, '.')::integer[])

-- name: settle_contradictions
-- in: bigint[], bigint, bigint
-- out: bigint
-- Ended events whose outcome row says something else. Outcome rows are dropped after 14 days.
SELECT e.event_no
FROM (SELECT ended.event_no FROM unnest($1) AS ended(event_no) ORDER BY 1 OFFSET 0) n
CROSS JOIN LATERAL (
    SELECT p.event_no, p.outcome, p.failure, p.settled_at FROM payment_events p
    WHERE p.event_no = n.event_no AND p.event_no BETWEEN $2 AND $3 OFFSET 0
) e
LEFT JOIN LATERAL (
    SELECT d.outcome FROM processed_events d
    WHERE d.event_no = n.event_no AND d.event_no BETWEEN $2 AND $3 OFFSET 0
) done ON true
WHERE e.settled_at > statement_timestamp() - interval '13 days'
    AND done.outcome IS DISTINCT FROM CASE
        WHEN e.outcome = 'confirmed' THEN 'success'
        WHEN e.failure = 'insufficient_funds' THEN 'insufficient_funds' END

-- name: settle_lock_claims
-- in: bigint[], bigint, bigint
-- out: text, text, text, text
-- All transfers of the events' transactions, sorted. Nobody is waited for: an event whose transfer
-- is locked by somebody else is deferred.
SELECT c.chain, c.tx_hash, c.ordinal::text, c.side
FROM (
    SELECT d.chain, d.tx_hash FROM (
        SELECT DISTINCT p.chain, p.tx_hash FROM payment_events p
        WHERE p.event_no = ANY ($1) AND p.event_no BETWEEN $2 AND $3 AND p.tx_hash IS NOT NULL
    ) d
    ORDER BY d.chain COLLATE "C", d.tx_hash COLLATE "C" OFFSET 0
) t
CROSS JOIN LATERAL (
    SELECT l.chain, l.tx_hash, l.ordinal, l.side FROM onchain_claims l
    WHERE l.chain = t.chain AND l.tx_hash = t.tx_hash
    ORDER BY l.ordinal, l.side COLLATE "C"
    FOR UPDATE SKIP LOCKED
) c

-- name: settle_read_claims
-- in: bigint[], bigint, bigint
-- out: bigint, text, text, text, text, bigint, boolean
-- The transfers each event may claim, best first: the reported position, where the chain knows it
-- or nothing else of the transaction; otherwise what equals it in asset, amount and recipient. Last
-- column: the row exists; a claim as reported may still have to be made.
SELECT e.event_no, e.chain, e.tx_hash, c.ordinal::text, e.side, c.holder, c.is_row
FROM (
    SELECT p.event_no, p.chain, p.tx_hash, p.tx_position, p.amount, p.to_address, a.contract,
        CASE WHEN p.event_type IN ('deposit', 'airdrop') THEN 'in' ELSE 'out' END AS side
    FROM payment_events p
    CROSS JOIN LATERAL (SELECT s.contract FROM assets s WHERE s.asset = p.asset OFFSET 0) a
    WHERE p.event_no = ANY ($1) AND p.event_no BETWEEN $2 AND $3 AND p.tx_hash IS NOT NULL
        AND left(p.event_type, 6) <> 'reorg_'
    ORDER BY p.event_no OFFSET 0
) e
CROSS JOIN LATERAL (
    SELECT l.ordinal, l.event_no AS holder, true AS is_row, l.ordinal = e.tx_position AS is_exact
    FROM onchain_claims l
    WHERE l.chain = e.chain AND l.tx_hash = e.tx_hash AND l.side = e.side
        AND (l.ordinal = e.tx_position
            OR (l.amount = e.amount AND l.contract IS NOT DISTINCT FROM e.contract
                AND coalesce(l.address, e.to_address, '') = coalesce(e.to_address, l.address, '')))
    UNION ALL
    SELECT e.tx_position, NULL, false, true
    WHERE e.tx_position IS NOT NULL AND NOT EXISTS (
        SELECT FROM onchain_claims l
        WHERE l.chain = e.chain AND l.tx_hash = e.tx_hash AND l.side = e.side)
) c
ORDER BY e.event_no, c.is_exact IS TRUE DESC, c.ordinal

-- name: settle_write_claims
-- in: text[], text[], text[], text[], bigint[], text[]
-- Sorted by the caller. A claim that somebody else took meanwhile writes nothing, which the row
-- count shows.
INSERT INTO onchain_claims AS c (chain, tx_hash, ordinal, side, event_no, state, amount)
SELECT n.chain, n.tx_hash, n.ordinal::integer[], n.side, n.event_no, 'credited', n.amount::numeric
FROM unnest($1, $2, $3, $4, $5, $6) AS n(chain, tx_hash, ordinal, side, event_no, amount)
ON CONFLICT (chain, tx_hash, ordinal, side) DO UPDATE
SET event_no = excluded.event_no, state = 'credited'
WHERE c.event_no IS NULL

-- name: settle_add_to_merchants
-- in: text[], text[], text[]
-- Sorted by the caller: rows are made and locked in that order.
INSERT INTO merchant_balances AS m (merchant_id, asset, balance, version)
SELECT moved.merchant_id, moved.asset, moved.amount::numeric, 1
FROM unnest($1, $2, $3) AS moved(merchant_id, asset, amount)
ON CONFLICT (merchant_id, asset) DO UPDATE
SET balance = m.balance + excluded.balance, version = m.version + 1

-- name: settle_write_balances
-- in: bigint[], text[], text[], text[], bigint[]
-- The rows are locked and exist; an upsert leaves the planner no join to choose. A version that did
-- not grow writes nothing, which the row count shows.
INSERT INTO balances AS b (user_id, asset, balance, debt, version)
SELECT now.user_id, now.asset, now.balance::numeric, now.debt::numeric, now.version
FROM unnest($1, $2, $3, $4, $5) AS now(user_id, asset, balance, debt, version)
ON CONFLICT (user_id, asset) DO UPDATE
SET balance = excluded.balance, debt = excluded.debt, version = excluded.version
WHERE b.version < excluded.version

-- name: settle_write_journal
-- in: bigint[], text[], text[], text[], bigint[], text[], text[], bigint[]
INSERT INTO balance_events (user_id, asset, amount, balance_after, version, source_event_id,
    event_type, event_no)
SELECT p.user_id, p.asset, p.amount::numeric, p.balance_after::numeric, p.version,
    p.source_event_id, p.event_type, p.event_no
FROM unnest($1, $2, $3, $4, $5, $6, $7, $8) AS p(user_id, asset, amount, balance_after, version,
    source_event_id, event_type, event_no)

-- name: settle_write_returns
-- in: bigint[], bigint[], text[], text[]
INSERT INTO deposit_returns (original_no, event_no, event_type, amount)
SELECT r.original_no, r.event_no, r.event_type, r.amount::numeric
FROM unnest($1, $2, $3, $4) AS r(original_no, event_no, event_type, amount)

-- name: settle_write_processed
-- in: bigint[], bytea[], text[]
INSERT INTO processed_events (event_no, idempotency_key, outcome)
SELECT done.event_no, done.key, done.outcome
FROM unnest($1, $2, $3) AS done(event_no, key, outcome)

-- name: settle_end_events
-- in: bigint[], bigint, bigint, text, text
-- One statement per outcome and failure; the bounds prune partitions.
UPDATE payment_events SET outcome = $4, failure = $5, settled_at = clock_timestamp()
WHERE event_no = ANY ($1) AND event_no BETWEEN $2 AND $3 AND outcome IS NULL

-- name: settle_write_notifications
-- in: bigint[], text[]
-- An event that fails again after a replay has told so already.
INSERT INTO notifications (event_no, kind, target)
SELECT told.event_no, told.kind, 'default'
FROM unnest($1, $2) AS told(event_no, kind)
ON CONFLICT (event_no, kind, target) DO NOTHING

-- name: settle_write_letters
-- in: bigint[], bigint, bigint, text[], text[], text[], text[], smallint[]
INSERT INTO dead_letter_queue (letter_uid, event_no, event_id, event_type, source, user_id, asset,
    amount, merchant_id, error, error_class, cause, attempt, trace_id)
SELECT l.letter_uid::uuid, e.event_no, e.event_id, e.event_type, e.source, e.user_id, e.asset,
    e.amount, e.merchant_id, l.error, l.error_class, l.cause, l.attempt, e.trace_id
FROM unnest($1, $4, $5, $6, $7, $8) AS l(event_no, letter_uid, error, error_class, cause, attempt)
CROSS JOIN LATERAL (
    SELECT p.* FROM payment_events p
    WHERE p.event_no = l.event_no AND p.event_no BETWEEN $2 AND $3
    OFFSET 0
) e

-- name: settle_wait_for_originals
-- in: bigint[], bigint, bigint, bigint[], smallint[]
-- A deposit is usually a moment away, or hours until it is final: the wait grows with the age of
-- its refund, and so the log does not fill with its turns.
INSERT INTO event_waits (event_no, user_id, lane, reason, attempts, due_at)
SELECT w.event_no, w.user_id, w.user_id % 64, 'original', w.attempts, statement_timestamp()
    + greatest(interval '1 second',
        least(interval '1 minute', (statement_timestamp() - e.received_at) / 2))
FROM unnest($1, $4, $5) AS w(event_no, user_id, attempts)
CROSS JOIN LATERAL (
    SELECT p.received_at FROM payment_events p
    WHERE p.event_no = w.event_no AND p.event_no BETWEEN $2 AND $3
    OFFSET 0
) e

-- name: settle_wait_for_retry
-- in: bigint, smallint, text, integer
-- Full jitter by the database's clock and dice: uniform(0, $4 seconds).
INSERT INTO event_waits (event_no, user_id, lane, asset, reason, attempts, due_at)
SELECT q.event_no, q.user_id, q.lane, $3, 'retry', $2,
    statement_timestamp() + random() * make_interval(secs => $4)
FROM event_queue q WHERE q.event_no = $1

-- name: settle_delete_work
-- in: bigint[]
DELETE FROM event_queue WHERE event_no = ANY ($1)

-- name: settle_begin_try
-- in: bigint
UPDATE event_queue SET tries = tries + 1 WHERE event_no = $1

-- name: settle_end_try
-- in: bigint
-- The worker lived on, so the try does not count against the event.
UPDATE event_queue SET tries = tries - 1 WHERE event_no = $1 AND tries > 0

-- name: settle_find_outcome
-- in: bigint, text, text
-- out: text, bigint
-- What stands already for an event that collided: its outcome row, and whose journal row has its
-- source.
SELECT (SELECT done.outcome FROM processed_events done WHERE done.event_no = $1),
    (SELECT j.event_no FROM balance_events j WHERE j.source_event_id = $2 AND j.event_type = $3)

-- name: settle_find_orphan
-- in: bigint
-- out: text, text, text
-- What is left of an event whose row is gone: its outcome, and its id and type in the log.
SELECT (SELECT done.outcome FROM processed_events done WHERE done.event_no = $1),
    line.payment_id, line.event_type
FROM (SELECT 1) AS always
LEFT JOIN LATERAL (
    SELECT l.payment_id, l.event_type FROM payment_log l WHERE l.event_no = $1 LIMIT 1
) line ON true
