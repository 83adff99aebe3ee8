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
    -- What people may do. They have logins of their own, members of one of these.
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'countersign_support') THEN
        CREATE ROLE countersign_support NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE;
    END IF;
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'countersign_operator') THEN
        CREATE ROLE countersign_operator NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE;
    END IF;
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'countersign_approver') THEN
        CREATE ROLE countersign_approver NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE;
    END IF;
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'countersign_admin') THEN
        CREATE ROLE countersign_admin NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE;
    END IF;
END
$$;

-- Each may what the one before may. The admin stands aside: who may change the schema may act as
-- its owner, and therefore never approves. He has to say so first (SET ROLE), as migrate does;
-- nothing of it is in force by accident. His login is a member of countersign_support too, to read.
GRANT countersign_support TO countersign_operator;
GRANT countersign_operator TO countersign_approver;
ALTER ROLE countersign_admin NOINHERIT;
GRANT countersign_owner TO countersign_admin;
GRANT CREATE, USAGE ON SCHEMA public TO countersign_admin;

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
GRANT USAGE ON SCHEMA public TO countersign_processor, countersign_support;

-- People read and call functions; temporary tables would let them fill a server's disk. Whoever
-- does not own the database leaves this to its owner.
DO $$
BEGIN
    EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
EXCEPTION WHEN insufficient_privilege THEN
    RAISE NOTICE 'TEMPORARY on this database is left to its owner';
END
$$;
