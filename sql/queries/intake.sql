-- Intake: one transaction of three round trips makes a gathering of deliveries durable.
--   keys (and, if some were known, what stands under them) · everything else · log tail, COMMIT
-- Arrays are never joined to tables by the planner's choice: `= ANY`, or LATERAL (… OFFSET 0).

-- name: intake_assets
-- out: text, text, boolean
-- The whole table: a handful of rows, kept in the process for a few seconds.
SELECT asset, chain, enabled FROM assets

-- name: intake_users
-- in: bigint[]
-- out: bigint
SELECT id FROM users WHERE id = ANY ($1)

-- name: intake_address_owners
-- in: text[], text[]
-- out: text, text, bigint
SELECT wanted.chain, wanted.address, owner.user_id
FROM unnest($1::text[], $2::text[]) AS wanted(chain, address)
CROSS JOIN LATERAL (
    SELECT a.user_id FROM deposit_addresses a
    WHERE a.chain = wanted.chain AND a.address = wanted.address OFFSET 0
) AS owner

-- name: intake_keys_insert
-- in: bytea[], bytea[]
-- out: bytea, bigint
-- Keys and fingerprints come in order of arrival, and so the numbers are taken (OFFSET 0 keeps the
-- subquery as it is); sorted outside, because two gatherings that insert in different orders
-- deadlock. Numbers of keys that were there already are lost: gaps mean nothing.
INSERT INTO event_keys (idempotency_key, event_no, fingerprint)
SELECT numbered.idempotency_key, numbered.event_no, numbered.fingerprint
FROM (
    SELECT key.idempotency_key, nextval('event_no_seq') AS event_no, key.fingerprint
    FROM unnest($1::bytea[], $2::bytea[]) AS key(idempotency_key, fingerprint)
    OFFSET 0
) AS numbered
ORDER BY numbered.idempotency_key
ON CONFLICT DO NOTHING
RETURNING idempotency_key, event_no

-- name: intake_keys_read
-- in: bytea[], bytea[]
-- out: bigint, bigint, bytea, boolean
-- For each delivery (key, hash of its body) of a known event: its place in the arrays, the event's
-- number and fingerprint, and whether this very body is kept. A statement after the insert, for
-- only then it sees what the insert has waited for.
SELECT delivery.place, known.event_no, known.fingerprint, kept.is_kept
FROM unnest($1::bytea[], $2::bytea[])
    WITH ORDINALITY AS delivery(idempotency_key, body_sha256, place)
CROSS JOIN LATERAL (
    SELECT k.event_no, k.fingerprint FROM event_keys k
    WHERE k.idempotency_key = delivery.idempotency_key OFFSET 0
) AS known
CROSS JOIN LATERAL (
    SELECT EXISTS (
        SELECT FROM deliveries d WHERE d.event_no = known.event_no
            AND d.body_sha256 = delivery.body_sha256 AND d.body IS NOT NULL
    ) AS is_kept OFFSET 0
) AS kept

-- name: intake_quarantine_upsert
-- in: text[], text[], text[], bytea[], bytea[], text[], bigint[]
-- The same bytes again only count, and not even that while somebody holds their row: a person who
-- discards it must not hold up the gathering, and each delivery has a row of its own in deliveries
-- anyhow. Looked for first, because ON CONFLICT would wait for a row that is being changed. Sorted
-- by hash: beside event_keys the only unique key on which one gathering can wait for another.
WITH given AS (
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bytea[], $5::bytea[], $6::text[],
        $7::bigint[]) AS row(source, reason, detail, body_sha256, body, headers, count)
), free AS (
    SELECT known.id, given.count
    FROM (SELECT body_sha256, count FROM given ORDER BY body_sha256 OFFSET 0) AS given
    CROSS JOIN LATERAL (SELECT q.id FROM quarantine q WHERE q.body_sha256 = given.body_sha256
        FOR UPDATE SKIP LOCKED OFFSET 0) AS known
), counted AS (
    UPDATE quarantine q SET count = q.count + free.count, last_seen = clock_timestamp()
    FROM free WHERE q.id = free.id
)
INSERT INTO quarantine AS known (source, reason, detail, body_sha256, body, headers, count)
SELECT row.source, row.reason, row.detail, row.body_sha256, row.body, row.headers::jsonb, row.count
FROM given AS row
WHERE NOT EXISTS (SELECT FROM quarantine q WHERE q.body_sha256 = row.body_sha256)
ORDER BY row.body_sha256
ON CONFLICT (body_sha256) DO UPDATE
SET count = known.count + excluded.count, last_seen = clock_timestamp()

-- name: intake_events_insert
-- in: bigint[], text[], text[], text[], bigint[], text[], text[], text[], text[], text[], text[]
-- in: text[], text[], text[], bigint[], bigint[]
-- The events, and those of them ($15 numbers, $16 users) that are work at once. One statement,
-- because at middling load statements decide the latency, not rows.
WITH queued AS (
    INSERT INTO event_queue (event_no, user_id, lane)
    SELECT work.event_no, work.user_id, (work.user_id % 64)::smallint
    FROM unnest($15::bigint[], $16::bigint[]) AS work(event_no, user_id)
)
INSERT INTO payment_events (event_no, event_id, event_type, source, user_id, asset, amount,
    merchant_id, original_event_id, chain, tx_hash, tx_position, to_address, trace_id)
SELECT event.event_no, event.event_id, event.event_type, event.source, event.user_id, event.asset,
    event.amount::numeric, event.merchant_id, event.original_event_id, event.chain, event.tx_hash,
    event.tx_position::integer[], event.to_address, event.trace_id
FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::text[],
        $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[])
    AS event(event_no, event_id, event_type, source, user_id, asset, amount, merchant_id,
        original_event_id, chain, tx_hash, tx_position, to_address, trace_id)

-- name: intake_waits_insert
-- in: bigint[], bigint[], text[]
-- Credits of a transaction on a chain: the chain role calls them when it is final.
INSERT INTO event_waits (event_no, user_id, lane, reason, chain, due_at)
SELECT wait.event_no, wait.user_id, (wait.user_id % 64)::smallint, 'finality', wait.chain,
    'infinity'
FROM unnest($1::bigint[], $2::bigint[], $3::text[]) AS wait(event_no, user_id, chain)

-- name: intake_deliveries_insert
-- in: bigint[], text[], text[], bytea[], bytea[], text[], text[], text[]
INSERT INTO deliveries (event_no, source, verdict, body_sha256, body, headers, trace_id, remote)
SELECT row.event_no, row.source, row.verdict, row.body_sha256, row.body, row.headers::jsonb,
    row.trace_id, row.remote
FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bytea[], $5::bytea[], $6::text[], $7::text[],
        $8::text[])
    AS row(event_no, source, verdict, body_sha256, body, headers, trace_id, remote)
