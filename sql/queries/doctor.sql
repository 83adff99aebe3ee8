-- What doctor asks the server about itself.

-- name: doctor_server
-- out: bigint, text, text, boolean, boolean, boolean, timestamp with time zone
-- Version as a number and as text, the role in force, whether it is a superuser, whether the server
-- only reads, whether the connection is encrypted, and the server's clock.
SELECT current_setting('server_version_num')::bigint, current_setting('server_version'),
    current_user::text,
    (SELECT rolsuper FROM pg_roles WHERE rolname = current_user),
    pg_is_in_recovery(),
    coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false),
    clock_timestamp()

-- name: doctor_durability
-- out: text, text, text, text
SELECT current_setting('fsync'), current_setting('full_page_writes'),
    current_setting('synchronous_commit'), current_setting('synchronous_standby_names')

-- name: doctor_session
-- out: text, text, text
-- Settings that come from ALTER ROLE countersign_processor (sql/roles.sql).
SELECT current_setting('idle_in_transaction_session_timeout'), current_setting('enable_seqscan'),
    current_setting('jit')

-- name: doctor_can_write
-- out: boolean
-- Whether this role may do the work of the daemon; null when the schema is not there.
SELECT has_table_privilege(to_regclass('payment_log'), 'INSERT')
    AND has_table_privilege(to_regclass('event_queue'), 'DELETE')
    AND has_function_privilege(to_regprocedure('make_partitions()'), 'EXECUTE')

-- name: doctor_has_roles
-- out: boolean
SELECT count(*) = 6 FROM pg_roles WHERE rolname IN ('countersign_owner', 'countersign_processor',
    'countersign_support', 'countersign_operator', 'countersign_approver', 'countersign_admin')
