-- What stands around the console's questions.

-- name: console_settings
-- out: integer, text, text, boolean
-- Once per connection: texts of times and numbers mean one thing. The backend's number, the login,
-- the server's version, and whether the server is a replica.
SELECT pg_backend_pid(), session_user::text, current_setting('server_version'),
    pg_is_in_recovery()
FROM (SELECT set_config('TimeZone', 'UTC', false), set_config('DateStyle', 'ISO, YMD', false),
    set_config('bytea_output', 'hex', false), set_config('IntervalStyle', 'postgres', false)
    OFFSET 0) AS settings

-- name: console_begin_reading
-- One snapshot for all parts of an answer.
BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY

-- name: console_begin_command
-- Functions that people call refuse any other level.
BEGIN ISOLATION LEVEL READ COMMITTED, READ WRITE

-- name: console_limit
-- in: bigint
-- out: text, text
-- Milliseconds left for the transaction's statements, and the database's time: what an answer is
-- "as of".
SELECT set_config('statement_timeout', $1::bigint::text, true), clock_timestamp()::text

-- name: console_end
COMMIT

-- name: console_give_up
ROLLBACK

-- name: console_cancel
-- in: bigint
-- out: boolean
-- From a second connection of the same login, which may.
SELECT pg_cancel_backend($1::bigint::integer)

-- name: console_ping
-- out: text
-- Asked while nothing else is, so that a server that went away is noticed.
SELECT clock_timestamp()::text

-- name: console_schema
-- out: bigint
-- The newest migration; fails with 42P01 where the schema is missing.
SELECT coalesce(max(number), 0)::bigint FROM schema_migrations

-- name: console_roles
-- out: text
-- Of Countersign, those that this login may act as.
SELECT rolname::text FROM pg_roles
WHERE rolname LIKE 'countersign\_%' AND pg_has_role(session_user, oid, 'MEMBER')
ORDER BY rolname
