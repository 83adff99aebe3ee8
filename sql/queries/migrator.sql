-- Bookkeeping of the schema's versions.

-- name: migrator_has_table
-- out: boolean
-- Asked first, because CREATE TABLE IF NOT EXISTS wants the right to create even when it will not.
SELECT to_regclass('schema_migrations') IS NOT NULL

-- name: migrator_create_table
CREATE TABLE IF NOT EXISTS schema_migrations (
    number integer PRIMARY KEY,
    name text NOT NULL,
    sha256 text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
)

-- name: migrator_applied
-- out: integer, text, text
SELECT number, name, sha256 FROM schema_migrations ORDER BY number

-- name: migrator_lock
-- One migrator at a time. Readers pass; whoever may not write the table cannot hold this lock.
LOCK TABLE schema_migrations IN EXCLUSIVE MODE

-- name: migrator_body_limits
-- in: text
-- out: text, text
-- A migration that waits for a table's lock makes everybody queue behind it, so it waits briefly.
-- The guard of a migration outside a transaction may stay idle as long as that one runs.
SELECT set_config('lock_timeout', $1, true), set_config('idle_in_transaction_session_timeout', '0', true)

-- name: migrator_record
-- in: integer, text, text
INSERT INTO schema_migrations (number, name, sha256) VALUES ($1, $2, $3)
