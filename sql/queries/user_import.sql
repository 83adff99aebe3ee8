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

-- name: user_import_zero_rows_ahead
-- in: bigint[], text[]
-- Rows of users that are known already, made before the import in transactions of their own:
-- settlement makes missing rows of known users, and would wait for ours, for all accounts of its
-- lanes, as long as the import takes. Rows that are there and locked it only passes over. Sorted by
-- the caller: user, then asset by its bytes – the order in which everybody locks.
INSERT INTO balances (user_id, asset)
SELECT given.user_id, given.asset
FROM unnest($1::bigint[], $2::text[]) WITH ORDINALITY AS given(user_id, asset, ord)
CROSS JOIN LATERAL (SELECT u.id FROM users u WHERE u.id = given.user_id OFFSET 0) AS known
ORDER BY given.ord
ON CONFLICT (user_id, asset) DO NOTHING

-- name: user_import_write
-- in: bigint[], text[], text[]
-- out: bigint
-- Users whose money has moved already, for an opening balance would rewrite history; then nothing
-- is written.
SELECT busy.user_id FROM import_opening_balances($1, $2, $3) AS busy(user_id)

-- name: user_import_assets
-- out: text
SELECT asset FROM assets
