-- The daemon's role may change what its work changes, column by column, and nothing else. Opening
-- balances, which no journal explains, are written by one function alone.

SET LOCAL ROLE countersign_owner;

-- A lane's row is there to be locked, which takes the right to update it.
CREATE TRIGGER lanes_fixed BEFORE UPDATE OR DELETE ON lanes
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER deposit_returns_no_truncate BEFORE TRUNCATE ON deposit_returns
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER event_attempts_append_only BEFORE UPDATE OR DELETE ON event_attempts
    FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Opening balances of accounts whose money has never moved; of the others it returns the users (at
-- most 20), and writes nothing. May be called again for a corrected file. Rows are made and locked
-- in the order in which everybody locks, users are there already.
CREATE FUNCTION import_opening_balances(user_ids bigint[], assets text[], amounts text[])
    RETURNS SETOF bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    written bigint;
BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'opening balances are imported READ COMMITTED' USING ERRCODE = '25001';
    END IF;
    IF EXISTS (SELECT FROM unnest(user_ids) AS given(user_id) WHERE NOT EXISTS (
        SELECT FROM public.users u WHERE u.id = given.user_id)) THEN
        RAISE EXCEPTION 'an opening balance of an unknown user' USING ERRCODE = '23503';
    END IF;
    INSERT INTO public.balances (user_id, asset)
    SELECT given.user_id, given.asset FROM unnest(user_ids, assets) AS given(user_id, asset)
    ORDER BY given.user_id, given.asset COLLATE "C"
    ON CONFLICT (user_id, asset) DO NOTHING;

    PERFORM held.user_id
    FROM (SELECT n.user_id, n.asset FROM unnest(user_ids, assets) AS n(user_id, asset)
        ORDER BY n.user_id, n.asset COLLATE "C" OFFSET 0) AS given
    CROSS JOIN LATERAL (SELECT b.user_id FROM public.balances b
        WHERE b.user_id = given.user_id AND b.asset = given.asset
        FOR UPDATE OFFSET 0) AS held;

    -- Only now: a settlement that held the rows before us has committed its journal rows.
    RETURN QUERY
    SELECT DISTINCT given.user_id FROM unnest(user_ids) AS given(user_id)
    WHERE EXISTS (SELECT FROM public.balance_events e WHERE e.user_id = given.user_id)
    ORDER BY given.user_id LIMIT 20;
    IF FOUND THEN
        RETURN;
    END IF;

    -- An upsert, because it cannot be planned but by the primary key: an update that joins the
    -- arrays turned quadratic. Without journal rows every account is at version 0 and owes nothing.
    INSERT INTO public.balances AS b (user_id, asset, balance, initial_balance)
    SELECT given.user_id, given.asset, given.opening::numeric, given.opening::numeric
    FROM unnest(user_ids, assets, amounts) AS given(user_id, asset, opening)
    ORDER BY given.user_id, given.asset COLLATE "C"
    ON CONFLICT (user_id, asset) DO UPDATE
    SET balance = excluded.balance, initial_balance = excluded.initial_balance
    WHERE b.version = 0 AND b.debt = 0;
    GET DIAGNOSTICS written = ROW_COUNT;
    IF written <> cardinality(user_ids) THEN
        RAISE EXCEPTION 'an account without a journal is not as it began' USING ERRCODE = '55000';
    END IF;
END
$$;
REVOKE EXECUTE ON FUNCTION import_opening_balances(bigint[], text[], text[]) FROM PUBLIC;

REVOKE INSERT, UPDATE ON balances, merchant_balances, quarantine, onchain_claims, notifications,
    stream_positions, alerts, log_tail FROM countersign_processor;
REVOKE UPDATE ON event_queue, event_waits, processor_instances, jobs FROM countersign_processor;
-- Letters are closed by the functions of a replay.
REVOKE UPDATE (state) ON dead_letter_queue FROM countersign_processor;
-- What an asset's base units mean is an administrator's word.
REVOKE INSERT ON assets FROM countersign_processor;

GRANT EXECUTE ON FUNCTION import_opening_balances(bigint[], text[], text[])
    TO countersign_processor;
GRANT INSERT (user_id, asset, balance, debt, version), UPDATE (balance, debt, version)
    ON balances TO countersign_processor;
GRANT INSERT, UPDATE (balance, version) ON merchant_balances TO countersign_processor;
GRANT INSERT (source, reason, detail, body_sha256, body, headers, count),
    UPDATE (count, last_seen) ON quarantine TO countersign_processor;
GRANT INSERT, UPDATE (event_no, state, generation, block_number, block_hash)
    ON onchain_claims TO countersign_processor;
GRANT INSERT, UPDATE (webhook_id, body, attempts, next_at, delivered_at, state)
    ON notifications TO countersign_processor;
GRANT INSERT, UPDATE (low, epoch) ON stream_positions TO countersign_processor;
GRANT INSERT (key, severity, message, first_at, last_at, count, detail),
    UPDATE (severity, message, first_at, last_at, count, detail, state)
    ON alerts TO countersign_processor;
GRANT UPDATE (epoch) ON log_tail TO countersign_processor;
GRANT UPDATE (attempts, tries) ON event_queue TO countersign_processor;
GRANT UPDATE (attempts, due_at, block_number) ON event_waits TO countersign_processor;
GRANT UPDATE (heartbeat_at, roles, version) ON processor_instances TO countersign_processor;
GRANT UPDATE (every, daily_at, timezone, next_due_at, last_started_at, last_finished_at,
    last_result, last_error, last_said, lease_token, lease_until, walked_to)
    ON jobs TO countersign_processor;

RESET ROLE;
