-- Logins of people, by the command line.

-- name: people_standing
-- in: text, text
-- out: text, boolean, text, text
-- Whose login $1 is, whether it is a superuser's, its roles, and those of all logins of person $2;
-- null where there is nothing.
SELECT (SELECT p.person FROM people p WHERE p.login = $1),
    coalesce((SELECT r.rolsuper FROM pg_roles r WHERE r.rolname = $1), false),
    (SELECT string_agg(DISTINCT substr(role.rolname, 13), ', ')
        FROM pg_auth_members m
        JOIN pg_roles role ON role.oid = m.roleid AND role.rolname LIKE 'countersign\_%'
        JOIN pg_roles member ON member.oid = m.member
        WHERE member.rolname = $1),
    (SELECT string_agg(DISTINCT substr(role.rolname, 13), ', ')
        FROM people p
        JOIN pg_roles member ON member.rolname = p.login
        JOIN pg_auth_members m ON m.member = member.oid
        JOIN pg_roles role ON role.oid = m.roleid AND role.rolname LIKE 'countersign\_%'
        WHERE p.person = $2)

-- name: people_add
-- in: text, text
INSERT INTO people (login, person) VALUES ($1, $2) ON CONFLICT (login) DO NOTHING

-- name: people_script
-- in: text, text
-- out: text
-- What makes login $1 a member of role $2. Settings are not inherited from a group's role. An admin
-- reads as support does.
SELECT concat_ws(E'\n',
    CASE WHEN NOT EXISTS (SELECT FROM pg_roles WHERE rolname = $1) THEN
        format('CREATE ROLE %I LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE;', $1::text) END,
    format('GRANT %I TO %I;', 'countersign_' || $2, $1::text),
    CASE $2 WHEN 'admin' THEN format('GRANT countersign_support TO %I;', $1::text) END,
    format('ALTER ROLE %I SET idle_in_transaction_session_timeout = ''10s'';', $1::text),
    format('ALTER ROLE %I SET statement_timeout = ''30s'';', $1::text),
    format('ALTER ROLE %I SET lock_timeout = ''2s'';', $1::text))

-- name: people_list
-- out: text, text, text, timestamp with time zone
-- Login, person, roles (null: the DBA has not granted one yet), since when.
SELECT p.login, p.person,
    (SELECT string_agg(substr(role.rolname, 13), ', ' ORDER BY role.rolname)
        FROM pg_auth_members m
        JOIN pg_roles role ON role.oid = m.roleid AND role.rolname LIKE 'countersign\_%'
        JOIN pg_roles member ON member.oid = m.member
        WHERE member.rolname = p.login),
    p.created_at
FROM people p
ORDER BY p.person COLLATE "C", p.login COLLATE "C"
