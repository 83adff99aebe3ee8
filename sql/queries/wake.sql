-- Hints between processes. A lost one costs a polling interval and nothing else.

-- name: wake_send
-- out: text, text
-- A transaction of its own: its commit is queued behind other notifiers and must not wait for the
-- disk, for there is nothing in it to lose.
SELECT set_config('synchronous_commit', 'off', true), pg_notify('countersign_work', '')::text

-- name: wake_own_process
-- out: bigint
SELECT pg_backend_pid()::bigint

-- name: wake_listen
-- Only on a direct connection: behind a pooler it is lost without an error, and the session that it
-- happened to reach goes on listening for whoever comes next.
LISTEN countersign_work
