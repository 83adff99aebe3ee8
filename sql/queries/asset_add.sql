-- New assets, by the command line.

-- name: asset_add
-- in: text, text, text, smallint
-- Nothing is inserted when the code or the place (chain and contract) is taken: asset_taken says
-- by whom.
INSERT INTO assets (asset, chain, contract, decimals) VALUES ($1, $2, lower($3), $4)
ON CONFLICT DO NOTHING

-- name: asset_taken
-- in: text, text, text
-- out: text, text, text, smallint
SELECT asset, chain, contract, decimals FROM assets
WHERE asset = $1 OR (chain = $2 AND contract IS NOT DISTINCT FROM lower($3))
ORDER BY (asset = $1) DESC
