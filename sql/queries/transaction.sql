-- The frame of every transaction; its parts travel in the pipelines of the statements they enclose.

-- name: transaction_begin
BEGIN ISOLATION LEVEL READ COMMITTED

-- name: transaction_limits
-- in: text, text
-- out: text, text
-- Local to the transaction, so that they survive a pooler and never leak into the next one.
SELECT set_config('statement_timeout', $1, true), set_config('lock_timeout', $2, true)

-- name: statement_limit
-- in: text
-- out: text
-- Of the statements that follow in the same pipeline and commit by themselves with it.
SELECT set_config('statement_timeout', $1, true)

-- name: transaction_commit
COMMIT

-- name: transaction_rollback
ROLLBACK

-- name: transaction_probe
-- out: integer
SELECT 1
