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
-- out: text
-- A migration that waits for a table's lock makes everybody queue behind it, so it waits briefly.
SELECT set_config('lock_timeout', $1, true)

-- name: migrator_stay_idle
-- The guard of a migration outside a transaction stays idle as long as that one runs. It comes
-- last because it takes no snapshot: a SELECT would keep its own until the next statement, and
-- CREATE INDEX CONCURRENTLY waits for every older snapshot.
SET LOCAL idle_in_transaction_session_timeout = 0

-- name: migrator_own_role
-- Migrations hand what they create to the owner role; the record is the login's own again.
SET LOCAL ROLE NONE

-- name: migrator_record
-- in: integer, text, text
INSERT INTO schema_migrations (number, name, sha256) VALUES ($1, $2, $3)
