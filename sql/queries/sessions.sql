-- Sessions of the processor itself.

-- name: sessions_end_stuck
-- in: bigint
-- out: bigint, bigint, text, text, text
-- Ends every session of this program that has been in one transaction for more than $1 seconds and
-- waits for its client: its process is frozen, or its host is gone. No timer of the server covers a
-- client that stopped in the middle of a pipeline or does not read its answer. The login that asks
-- may be another than theirs, if it is a member of it.
-- Process, age in milliseconds, state, what it waited for, from where.
SELECT stuck.pid::bigint, stuck.age, stuck.state, stuck.wait_event, stuck.client
FROM (
    SELECT pid, (extract(epoch FROM clock_timestamp() - xact_start) * 1000)::bigint AS age, state,
        wait_event, coalesce(host(client_addr), 'this machine') AS client
    FROM pg_stat_activity
    WHERE datname = current_database() AND pg_has_role(current_user, usesysid, 'MEMBER')
        AND application_name = current_setting('application_name')
        AND pid <> pg_backend_pid() AND wait_event IN ('ClientRead', 'ClientWrite')
        AND xact_start < clock_timestamp() - $1 * interval '1 second'
    OFFSET 0
) AS stuck
WHERE pg_terminate_backend(stuck.pid)
