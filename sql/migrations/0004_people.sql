-- People: who they are, what they wrote down, and the functions they act through. A function checks
-- the person, takes its locks, reads what it judges after that, and writes the audit in the same
-- transaction. None of them touches lanes, work rows or the log: a person's open transaction holds
-- no payment up.

SET LOCAL ROLE countersign_owner;

-- One person may have several logins; decisions compare persons.
CREATE TABLE people (
    login text PRIMARY KEY,
    person text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT people_person CHECK (person ~ '^[[:print:]]{1,100}$')
);

-- Sealed later, in order of id, by the processor: no, prev_hash and hash are null until then.
CREATE TABLE operator_audit (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    no bigint,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    actor text NOT NULL, -- the person
    login text NOT NULL,
    action text NOT NULL,
    object text NOT NULL, -- kind and id, "letter 17"
    detail jsonb NOT NULL DEFAULT '{}',
    prev_hash bytea,
    hash bytea,
    CONSTRAINT uq_operator_audit_no UNIQUE (no),
    CONSTRAINT operator_audit_sealed CHECK ((no IS NULL) = (hash IS NULL))
);
CREATE INDEX operator_audit_object ON operator_audit (object, id);
CREATE INDEX operator_audit_unsealed ON operator_audit (id) WHERE no IS NULL;

CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- The only change is the seal, once.
    IF TG_OP = 'UPDATE' AND OLD.no IS NULL AND NEW.no IS NOT NULL
        AND (OLD.id, OLD.at, OLD.actor, OLD.login, OLD.action, OLD.object, OLD.detail)
            IS NOT DISTINCT FROM
            (NEW.id, NEW.at, NEW.actor, NEW.login, NEW.action, NEW.object, NEW.detail) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION '% on operator_audit is not allowed', TG_OP USING ERRCODE = '42501';
END
$$;
CREATE TRIGGER operator_audit_append_only BEFORE UPDATE OR DELETE ON operator_audit
    FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER operator_audit_no_truncate BEFORE TRUNCATE ON operator_audit
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What notes, tags and assignments may be about.
CREATE TABLE object_kinds (kind text PRIMARY KEY);
INSERT INTO object_kinds VALUES ('user'), ('event'), ('tx'), ('address'), ('letter'), ('cause'),
    ('quarantine'), ('alert'), ('finding'), ('request');

CREATE TABLE notes (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    object_kind text NOT NULL REFERENCES object_kinds,
    object_id text NOT NULL,
    body text NOT NULL,
    person text NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT notes_object_id CHECK (length(object_id) BETWEEN 1 AND 200),
    CONSTRAINT notes_body CHECK (length(body) BETWEEN 1 AND 4000)
);
CREATE INDEX notes_object ON notes (object_kind, object_id, id);

CREATE TABLE tags (
    object_kind text NOT NULL REFERENCES object_kinds,
    object_id text NOT NULL,
    tag text NOT NULL,
    person text NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (object_kind, object_id, tag),
    CONSTRAINT tags_object_id CHECK (length(object_id) BETWEEN 1 AND 200),
    CONSTRAINT tags_tag CHECK (tag ~ '^[[:alnum:]][-_.:[:alnum:]]{0,49}$')
);
CREATE INDEX tags_tag ON tags (tag);

-- Who looks into it just now.
CREATE TABLE assignments (
    object_kind text NOT NULL REFERENCES object_kinds,
    object_id text NOT NULL,
    person text NOT NULL,
    assigned_by text NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (object_kind, object_id),
    CONSTRAINT assignments_object_id CHECK (length(object_id) BETWEEN 1 AND 200)
);

CREATE TABLE saved_views (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    person text NOT NULL,
    page text NOT NULL,
    name text NOT NULL,
    filter jsonb NOT NULL,
    is_shared boolean NOT NULL DEFAULT false,
    saved_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT uq_saved_views UNIQUE (person, page, name),
    CONSTRAINT saved_views_page CHECK (length(page) BETWEEN 1 AND 50),
    CONSTRAINT saved_views_name CHECK (length(name) BETWEEN 1 AND 100),
    CONSTRAINT saved_views_filter CHECK (length(filter::text) <= 16384)
);

-- ---------------------------------------------------------------- what every function begins with

-- The person behind the session, who must be a member of `role`. Superusers pass every check anyhow
-- and therefore act for nobody; neither do the owner and the daemon. Not for direct use.
CREATE FUNCTION acting_person(role text) RETURNS text
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    found_person text;
BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'needs READ COMMITTED: what is judged must be read after it was locked'
            USING ERRCODE = 'CS005';
    END IF;
    IF (SELECT r.rolsuper FROM pg_roles r WHERE r.rolname = session_user)
        OR session_user IN ('countersign_owner', 'countersign_processor') THEN
        RAISE EXCEPTION '% acts for no person', session_user USING ERRCODE = 'CS001';
    END IF;
    -- Whoever may act as the owner (an admin) can do anything in this database and therefore steers
    -- no money's fate by its functions; what support does is open to him.
    IF role <> 'countersign_support' AND pg_has_role(session_user, 'countersign_owner', 'MEMBER')
    THEN
        RAISE EXCEPTION '% may act as the owner of the database and therefore not as %',
            session_user, substr(role, length('countersign_') + 1) USING ERRCODE = 'CS001';
    END IF;
    IF NOT pg_has_role(session_user, role, 'USAGE') THEN
        RAISE EXCEPTION 'needs the role %', substr(role, length('countersign_') + 1)
            USING ERRCODE = 'CS001';
    END IF;
    SELECT p.person INTO found_person FROM public.people p WHERE p.login = session_user;
    IF found_person IS NULL THEN
        RAISE EXCEPTION 'the login % belongs to no person; see countersignd people add',
            session_user USING ERRCODE = 'CS001';
    END IF;
    RETURN found_person;
END
$$;
REVOKE EXECUTE ON FUNCTION acting_person(text) FROM PUBLIC;

CREATE FUNCTION write_audit(person text, action text, object text, detail jsonb) RETURNS void
    LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$
    INSERT INTO public.operator_audit (actor, login, action, object, detail)
    VALUES ($1, session_user, $2, $3, $4)
$$;
REVOKE EXECUTE ON FUNCTION write_audit(text, text, text, jsonb) FROM PUBLIC;

-- The reason people give, without blanks around it: 3 to 2,000 characters.
CREATE FUNCTION checked_reason(reason text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF reason IS NULL OR length(btrim(reason)) NOT BETWEEN 3 AND 2000 THEN
        RAISE EXCEPTION 'a reason of 3 to 2000 characters is needed' USING ERRCODE = '22023';
    END IF;
    RETURN btrim(reason);
END
$$;
REVOKE EXECUTE ON FUNCTION checked_reason(text) FROM PUBLIC;

-- Sorted, each once: 1 to 10,000 ids.
CREATE FUNCTION checked_ids(ids bigint[]) RETURNS bigint[]
    LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    sorted bigint[];
BEGIN
    SELECT array_agg(DISTINCT given.id ORDER BY given.id) INTO sorted
    FROM unnest(ids) AS given(id) WHERE given.id IS NOT NULL;
    IF coalesce(cardinality(sorted), 0) NOT BETWEEN 1 AND 10000 THEN
        RAISE EXCEPTION 'between 1 and 10000 ids at a time' USING ERRCODE = '22023';
    END IF;
    RETURN sorted;
END
$$;
REVOKE EXECUTE ON FUNCTION checked_ids(bigint[]) FROM PUBLIC;

-- ---------------------------------------------------------------- support

-- A note stays; its number is returned.
CREATE FUNCTION annotate(object_kind text, object_id text, body text) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' SET datestyle = 'ISO, YMD' AS $$
DECLARE
    acting text := public.acting_person('countersign_support');
    made bigint;
BEGIN
    INSERT INTO public.notes (object_kind, object_id, body, person)
    VALUES ($1, $2, btrim($3), acting) RETURNING id INTO made;
    PERFORM public.write_audit(acting, 'annotate', $1 || ' ' || $2,
        jsonb_build_object('note', made));
    RETURN made;
END
$$;

-- False: the tag was there already.
CREATE FUNCTION tag(object_kind text, object_id text, tag text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' SET datestyle = 'ISO, YMD' AS $$
DECLARE
    acting text := public.acting_person('countersign_support');
BEGIN
    INSERT INTO public.tags AS t (object_kind, object_id, tag, person)
    VALUES ($1, $2, $3, acting) ON CONFLICT ON CONSTRAINT tags_pkey DO NOTHING;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    PERFORM public.write_audit(acting, 'tag', $1 || ' ' || $2, jsonb_build_object('tag', $3));
    RETURN true;
END
$$;

-- False: there was no such tag.
CREATE FUNCTION untag(object_kind text, object_id text, tag text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' SET datestyle = 'ISO, YMD' AS $$
DECLARE
    acting text := public.acting_person('countersign_support');
BEGIN
    DELETE FROM public.tags t WHERE t.object_kind = $1 AND t.object_id = $2 AND t.tag = $3;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    PERFORM public.write_audit(acting, 'untag', $1 || ' ' || $2, jsonb_build_object('tag', $3));
    RETURN true;
END
$$;

-- Under a name of one's own on one page; the same name again replaces it. Not audited: it changes
-- what its person sees and nothing else.
CREATE FUNCTION save_view(page text, name text, filter jsonb, shared boolean DEFAULT false)
    RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' SET datestyle = 'ISO, YMD' AS $$
DECLARE
    acting text := public.acting_person('countersign_support');
    saved bigint;
BEGIN
    IF (SELECT count(*) FROM public.saved_views v WHERE v.person = acting) >= 500 THEN
        RAISE EXCEPTION 'at most 500 views a person' USING ERRCODE = '54000';
    END IF;
    INSERT INTO public.saved_views AS v (person, page, name, filter, is_shared)
    VALUES (acting, $1, $2, $3, $4)
    ON CONFLICT ON CONSTRAINT uq_saved_views DO UPDATE
    SET filter = excluded.filter, is_shared = excluded.is_shared, saved_at = clock_timestamp()
    RETURNING v.id INTO saved;
    RETURN saved;
END
$$;

-- One's own only; false: this person has no such view.
CREATE FUNCTION delete_view(view_id bigint) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' SET datestyle = 'ISO, YMD' AS $$
DECLARE
    acting text := public.acting_person('countersign_support');
BEGIN
    DELETE FROM public.saved_views v WHERE v.id = view_id AND v.person = acting;
    RETURN FOUND;
END
$$;

-- ---------------------------------------------------------------- operators

-- Says who looks into it; null: nobody any more.
CREATE FUNCTION assign(object_kind text, object_id text, assignee text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' SET datestyle = 'ISO, YMD' AS $$
DECLARE
    acting text := public.acting_person('countersign_operator');
BEGIN
    IF $3 IS NULL THEN
        DELETE FROM public.assignments a WHERE a.object_kind = $1 AND a.object_id = $2;
    ELSIF NOT EXISTS (SELECT FROM public.people p WHERE p.person = $3) THEN
        RAISE EXCEPTION 'nobody here is called %', $3 USING ERRCODE = '22023';
    ELSE
        INSERT INTO public.assignments AS a (object_kind, object_id, person, assigned_by)
        VALUES ($1, $2, $3, acting)
        ON CONFLICT ON CONSTRAINT assignments_pkey DO UPDATE
        SET person = excluded.person, assigned_by = excluded.assigned_by, at = clock_timestamp();
    END IF;
    PERFORM public.write_audit(acting, 'assign', $1 || ' ' || $2,
        jsonb_build_object('assignee', $3));
END
$$;

-- Somebody has seen it. It ends when its cause is gone.
CREATE FUNCTION acknowledge_alert(key text, note text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' SET datestyle = 'ISO, YMD' AS $$
DECLARE
    acting text := public.acting_person('countersign_operator');
    given text := public.checked_reason($2);
    before text;
BEGIN
    PERFORM FROM public.alerts a WHERE a.key = $1 FOR UPDATE;
    SELECT a.state INTO before FROM public.alerts a WHERE a.key = $1;
    IF before IS DISTINCT FROM 'open' THEN
        RAISE EXCEPTION 'the alert % is %', $1, coalesce(before, 'not there')
            USING ERRCODE = 'CS005';
    END IF;
    UPDATE public.alerts a SET state = 'acknowledged' WHERE a.key = $1 AND a.state = 'open';
    PERFORM public.write_audit(acting, 'acknowledge_alert', 'alert ' || $1,
        jsonb_build_object('note', given));
END
$$;

-- Quiet for a while, never for ever: at most 30 days.
CREATE FUNCTION silence_alert(key text, until timestamptz, reason text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' SET datestyle = 'ISO, YMD' AS $$
DECLARE
    acting text := public.acting_person('countersign_operator');
    given text := public.checked_reason($3);
BEGIN
    PERFORM FROM public.alerts a WHERE a.key = $1 FOR UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the alert % is not there', $1 USING ERRCODE = 'CS005';
    END IF;
    IF $2 IS NULL OR $2 <= clock_timestamp() OR $2 > clock_timestamp() + interval '30 days' THEN
        RAISE EXCEPTION 'a silence ends within 30 days, and not in the past'
            USING ERRCODE = '22023';
    END IF;
    UPDATE public.alerts a SET silenced_until = $2 WHERE a.key = $1;
    PERFORM public.write_audit(acting, 'silence_alert', 'alert ' || $1,
        jsonb_build_object('until', $2, 'reason', given));
END
$$;

-- All or none, locked in order of id; each must be in `from_state`. Not for direct use.
CREATE FUNCTION move_letters(acting text, action text, letter_ids bigint[], from_state text,
        to_state text, reason text) RETURNS integer
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    wanted bigint[] := public.checked_ids($3);
    odd record;
BEGIN
    PERFORM FROM public.dead_letter_queue l WHERE l.id = ANY (wanted) ORDER BY l.id FOR UPDATE;
    SELECT asked.id, coalesce(l.state, 'not there') AS state INTO odd
    FROM unnest(wanted) AS asked(id) LEFT JOIN public.dead_letter_queue l ON l.id = asked.id
    WHERE l.state IS DISTINCT FROM $4 ORDER BY asked.id LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'letter % is %', odd.id, odd.state USING ERRCODE = 'CS005';
    END IF;
    UPDATE public.dead_letter_queue l SET state = $5
    WHERE l.id = ANY (wanted) AND l.state = $4;
    INSERT INTO public.operator_audit (actor, login, action, object, detail)
    SELECT $1, session_user, $2, 'letter ' || asked.id, jsonb_build_object('reason', $6)
    FROM unnest(wanted) AS asked(id);
    RETURN cardinality(wanted);
END
$$;
REVOKE EXECUTE ON FUNCTION move_letters(text, text, bigint[], text, text, text) FROM PUBLIC;

-- Nobody will replay them. Money is not touched, and restore_letters() takes it back.
CREATE FUNCTION discard_letters(letter_ids bigint[], reason text) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' SET datestyle = 'ISO, YMD' AS $$
BEGIN
    RETURN public.move_letters(public.acting_person('countersign_operator'), 'discard_letter', $1,
        'open', 'discarded', public.checked_reason($2));
END
$$;

CREATE FUNCTION restore_letters(letter_ids bigint[], reason text) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' SET datestyle = 'ISO, YMD' AS $$
BEGIN
    RETURN public.move_letters(public.acting_person('countersign_operator'), 'restore_letter', $1,
        'discarded', 'open', public.checked_reason($2));
END
$$;

-- All or none. Rows and bodies stay.
CREATE FUNCTION discard_quarantine(quarantine_ids bigint[], reason text) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' SET datestyle = 'ISO, YMD' AS $$
DECLARE
    acting text := public.acting_person('countersign_operator');
    given text := public.checked_reason($2);
    wanted bigint[] := public.checked_ids($1);
    odd record;
BEGIN
    -- In the order in which intake takes them.
    PERFORM FROM public.quarantine q WHERE q.id = ANY (wanted) ORDER BY q.body_sha256 FOR UPDATE;
    SELECT asked.id, coalesce(q.state, 'not there') AS state INTO odd
    FROM unnest(wanted) AS asked(id) LEFT JOIN public.quarantine q ON q.id = asked.id
    WHERE q.state IS DISTINCT FROM 'open' ORDER BY asked.id LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'quarantine % is %', odd.id, odd.state USING ERRCODE = 'CS005';
    END IF;
    UPDATE public.quarantine q SET state = 'discarded'
    WHERE q.id = ANY (wanted) AND q.state = 'open';
    INSERT INTO public.operator_audit (actor, login, action, object, detail)
    SELECT acting, session_user, 'discard_quarantine', 'quarantine ' || asked.id,
        jsonb_build_object('reason', given)
    FROM unnest(wanted) AS asked(id);
    RETURN cardinality(wanted);
END
$$;

-- ---------------------------------------------------------------- who may

REVOKE EXECUTE ON FUNCTION annotate(text, text, text), tag(text, text, text),
    untag(text, text, text), save_view(text, text, jsonb, boolean), delete_view(bigint),
    assign(text, text, text), acknowledge_alert(text, text),
    silence_alert(text, timestamptz, text), discard_letters(bigint[], text),
    restore_letters(bigint[], text), discard_quarantine(bigint[], text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION annotate(text, text, text), tag(text, text, text),
    untag(text, text, text), save_view(text, text, jsonb, boolean), delete_view(bigint)
    TO countersign_support;
GRANT EXECUTE ON FUNCTION assign(text, text, text), acknowledge_alert(text, text),
    silence_alert(text, timestamptz, text), discard_letters(bigint[], text),
    restore_letters(bigint[], text), discard_quarantine(bigint[], text) TO countersign_operator;

COMMENT ON FUNCTION annotate(text, text, text) IS
    'annotate(object_kind, object_id, body) -> id of the note; 1 to 4000 characters. Role support.';
COMMENT ON FUNCTION tag(text, text, text) IS
    'tag(object_kind, object_id, tag) -> false when it was there already. Role support.';
COMMENT ON FUNCTION untag(text, text, text) IS
    'untag(object_kind, object_id, tag) -> false when there was none. Role support.';
COMMENT ON FUNCTION save_view(text, text, jsonb, boolean) IS
    'save_view(page, name, filter, shared) -> id; the same name of one person on one page replaces
what was there; at most 500 a person, each filter up to 16 KiB. Role support.';
COMMENT ON FUNCTION delete_view(bigint) IS
    'delete_view(view_id) -> false unless it was one of the caller''s own. Role support.';
COMMENT ON FUNCTION assign(text, text, text) IS
    'assign(object_kind, object_id, assignee): a person of the table people; null takes it back.
Role operator.';
COMMENT ON FUNCTION acknowledge_alert(text, text) IS
    'acknowledge_alert(key, note): from open only (CS005); note of 3 to 2000 characters. Role
operator.';
COMMENT ON FUNCTION silence_alert(text, timestamptz, text) IS
    'silence_alert(key, until, reason): always with an end, at most 30 days ahead; reason of 3 to
2000 characters. Role operator.';
COMMENT ON FUNCTION discard_letters(bigint[], text) IS
    'discard_letters(letter_ids, reason) -> how many; open letters only, all or none (CS005), 1 to
10000 ids. No money moves. Role operator.';
COMMENT ON FUNCTION restore_letters(bigint[], text) IS
    'restore_letters(letter_ids, reason) -> how many; discarded letters only, all or none (CS005),
1 to 10000 ids. Role operator.';
COMMENT ON FUNCTION discard_quarantine(bigint[], text) IS
    'discard_quarantine(quarantine_ids, reason) -> how many; open rows only, all or none (CS005), 1
to 10000 ids; rows and bodies stay. Role operator.';

-- What later migrations add is readable too, unless they say otherwise.
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON TABLES TO countersign_support;

RESET ROLE;

GRANT SELECT ON ALL TABLES IN SCHEMA public TO countersign_support;
GRANT SELECT ON people, operator_audit, notes, tags, assignments TO countersign_processor;
GRANT INSERT ON users, assets, deposit_addresses, people TO countersign_admin;
GRANT UPDATE (no, prev_hash, hash) ON operator_audit TO countersign_processor;
