-- Logins of an embedded stack, to try each role: support, operator, approver, approver2, admin. No
-- passwords: the stack listens on a Unix socket alone, in a folder that only its owner may enter.
-- Idempotent; approver and approver2 are two persons, so that a request finds its second one.

DO $$
DECLARE
    demo record;
BEGIN
    FOR demo IN VALUES ('support', 'countersign_support'), ('operator', 'countersign_operator'),
        ('approver', 'countersign_approver'), ('approver2', 'countersign_approver'),
        ('admin', 'countersign_admin'), ('admin', 'countersign_support')
    LOOP
        IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = demo.column1) THEN
            EXECUTE format('CREATE ROLE %I LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE',
                demo.column1);
        END IF;
        EXECUTE format('GRANT %I TO %I', demo.column2, demo.column1);
        -- As for everybody: what a person left open holds nobody up for long.
        EXECUTE format('ALTER ROLE %I SET idle_in_transaction_session_timeout = 10000',
            demo.column1);
        EXECUTE format('ALTER ROLE %I SET statement_timeout = 30000', demo.column1);
        EXECUTE format('ALTER ROLE %I SET lock_timeout = 2000', demo.column1);
        INSERT INTO public.people (login, person) VALUES (demo.column1, demo.column1)
        ON CONFLICT (login) DO NOTHING;
    END LOOP;
END
$$;
