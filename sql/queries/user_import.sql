-- The opening of the books: users and their balances from an older system, all or nothing.

-- name: user_import_users
-- in: bigint[], text[]
INSERT INTO users (id, external_ref)
SELECT given.id, given.external_ref
FROM unnest($1::bigint[], $2::text[]) AS given(id, external_ref)
ORDER BY given.id
ON CONFLICT (id) DO NOTHING

-- name: user_import_other_references
-- in: bigint[], text[]
-- out: bigint, text
-- Users that are known under another reference than the file says.
SELECT u.id, u.external_ref
FROM unnest($1::bigint[], $2::text[]) AS given(id, external_ref)
CROSS JOIN LATERAL (SELECT known.id, known.external_ref FROM users known
    WHERE known.id = given.id OFFSET 0) AS u
WHERE given.external_ref IS NOT NULL AND u.external_ref IS DISTINCT FROM given.external_ref
ORDER BY u.id LIMIT 20

-- name: user_import_zero_rows
-- in: bigint[], text[]
-- Sorted by the caller: user, then asset by its bytes – the order in which everybody locks.
INSERT INTO balances (user_id, asset)
SELECT given.user_id, given.asset
FROM unnest($1::bigint[], $2::text[]) WITH ORDINALITY AS given(user_id, asset, ord)
ORDER BY given.ord
ON CONFLICT (user_id, asset) DO NOTHING

-- name: user_import_zero_rows_ahead
-- in: bigint[], text[]
-- The same for users that are known already, in a transaction of its own: settlement makes missing
-- rows of known users, and would wait for ours, for all accounts of its lanes, as long as the
-- import takes. Rows that are there and locked it only passes over.
INSERT INTO balances (user_id, asset)
SELECT given.user_id, given.asset
FROM unnest($1::bigint[], $2::text[]) WITH ORDINALITY AS given(user_id, asset, ord)
CROSS JOIN LATERAL (SELECT u.id FROM users u WHERE u.id = given.user_id OFFSET 0) AS known
ORDER BY given.ord
ON CONFLICT (user_id, asset) DO NOTHING

-- name: user_import_lock
-- in: bigint[], text[]
-- out: bigint
SELECT b.user_id
FROM (SELECT user_id, asset FROM unnest($1::bigint[], $2::text[]) WITH ORDINALITY
        AS given(user_id, asset, ord) ORDER BY given.ord OFFSET 0) AS given
CROSS JOIN LATERAL (SELECT held.user_id FROM balances held
    WHERE held.user_id = given.user_id AND held.asset = given.asset
    FOR UPDATE OFFSET 0) AS b

-- name: user_import_busy
-- in: bigint[]
-- out: bigint
-- Users whose money has moved already: an opening balance would rewrite history. Asked after the
-- locks were granted.
SELECT DISTINCT given.user_id
FROM unnest($1::bigint[]) AS given(user_id)
WHERE EXISTS (SELECT FROM balance_events e WHERE e.user_id = given.user_id)
ORDER BY given.user_id LIMIT 20

-- name: user_import_write
-- in: bigint[], text[], text[]
-- The rows are there and locked. An upsert, because it cannot be planned but by the primary key: an
-- update that joins the arrays turned quadratic.
INSERT INTO balances AS b (user_id, asset, balance, initial_balance)
SELECT given.user_id, given.asset, given.opening::numeric, given.opening::numeric
FROM unnest($1::bigint[], $2::text[], $3::text[]) AS given(user_id, asset, opening)
ON CONFLICT (user_id, asset) DO UPDATE
SET balance = excluded.balance, initial_balance = excluded.initial_balance
WHERE b.version = 0 AND b.debt = 0

-- name: user_import_assets
-- out: text
SELECT asset FROM assets
