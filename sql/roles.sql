-- The roles of Countersign. Idempotent; run by `countersignd migrate` where the login may create
-- roles, printed for the DBA where it may not.

DO $$
BEGIN
    -- Owns every table and function; nobody logs in as it.
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'countersign_owner') THEN
        CREATE ROLE countersign_owner NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE;
    END IF;
    -- The daemon. It has no password until the DBA sets one.
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'countersign_processor') THEN
        CREATE ROLE countersign_processor LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE;
    END IF;
END
$$;

-- A dead host or a frozen worker loses its locks within 15 seconds: the server notices a silent
-- peer by keepalive or by unacknowledged data, and a silent transaction by its idle time.
ALTER ROLE countersign_processor SET tcp_keepalives_idle = 5;
ALTER ROLE countersign_processor SET tcp_keepalives_interval = 2;
ALTER ROLE countersign_processor SET tcp_keepalives_count = 3;
ALTER ROLE countersign_processor SET tcp_user_timeout = '10s';
ALTER ROLE countersign_processor SET idle_in_transaction_session_timeout = '10s';

-- Statements of the hot path are written for index scans and nested loops. Planned while a table
-- is still empty they would otherwise keep scans and joins that turn quadratic as it fills. Set on
-- the role because a pooler hands sessions from one client to the next.
ALTER ROLE countersign_processor SET enable_seqscan = off;
ALTER ROLE countersign_processor SET enable_hashjoin = off;
ALTER ROLE countersign_processor SET enable_mergejoin = off;
ALTER ROLE countersign_processor SET enable_material = off;
ALTER ROLE countersign_processor SET enable_bitmapscan = off;
ALTER ROLE countersign_processor SET jit = off;

GRANT CREATE, USAGE ON SCHEMA public TO countersign_owner;
GRANT USAGE ON SCHEMA public TO countersign_processor;
