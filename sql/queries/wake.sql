-- Hints between processes. A lost one costs a polling interval and nothing else.

-- name: wake_send
-- out: text, text
-- A transaction of its own: its commit is queued behind other notifiers and must not wait for the
-- disk, for there is nothing in it to lose.
SELECT set_config('synchronous_commit', 'off', true), pg_notify('countersign_work', '')::text

-- name: wake_listen
-- Only on the direct connection: behind a pooler a LISTEN is lost without an error.
LISTEN countersign_work
