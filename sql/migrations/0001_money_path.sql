-- The path of an event from the webhook to the journal. Guards (event_keys, balance_events) never
-- expire and stay narrow; what grows is range-partitioned by its own number and dropped whole.
-- A unique key of a partitioned table must contain the partition key, so uniqueness lives in
-- tables of its own. Hot tables have no foreign keys: users and assets cannot be deleted instead.

-- Whoever migrates, everything belongs to the role nobody logs in as.
SET LOCAL ROLE countersign_owner;

-- ---------------------------------------------------------------- reference data

CREATE TABLE assets (
    asset text PRIMARY KEY,
    chain text NOT NULL,
    contract text,
    decimals smallint NOT NULL,
    enabled boolean NOT NULL DEFAULT true,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT assets_code CHECK (asset ~ '^[A-Z0-9._-]{1,32}$'),
    CONSTRAINT assets_chain CHECK (chain ~ '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$'),
    CONSTRAINT assets_contract_lower CHECK (contract = lower(contract)),
    CONSTRAINT assets_decimals CHECK (decimals BETWEEN 0 AND 18),
    -- An asset is known by where it lives, never by its symbol; the native coin has no contract.
    CONSTRAINT assets_identity UNIQUE NULLS NOT DISTINCT (chain, contract)
);

INSERT INTO assets (asset, chain, contract, decimals) VALUES
    ('ETH', 'eip155:1', NULL, 18),
    ('USDC', 'eip155:1', '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', 6),
    ('USDT', 'eip155:1', '0xdac17f958d2ee523a2206206994597c13d831ec7', 6),
    ('WBTC', 'eip155:1', '0x2260fac5e5542a773aa44fbcfedf7c193bc2c599', 8),
    ('DAI', 'eip155:1', '0x6b175474e89094c44da98b954eedeac495271d0f', 18);

CREATE TABLE users (
    id bigint PRIMARY KEY,
    external_ref text,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT users_id_positive CHECK (id > 0)
);
CREATE UNIQUE INDEX users_external_ref ON users (external_ref) WHERE external_ref IS NOT NULL;

CREATE TABLE deposit_addresses (
    chain text NOT NULL,
    address text NOT NULL,
    user_id bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (chain, address),
    CONSTRAINT deposit_addresses_lower CHECK (address = lower(address))
);
CREATE INDEX deposit_addresses_user ON deposit_addresses (user_id);

-- ---------------------------------------------------------------- money

-- Fillfactor 50 and no index but the primary key: every update stays on its page (HOT).
CREATE TABLE balances (
    user_id bigint NOT NULL,
    asset text NOT NULL,
    balance numeric(38,18) NOT NULL DEFAULT 0,
    debt numeric(38,18) NOT NULL DEFAULT 0,
    initial_balance numeric(38,18) NOT NULL DEFAULT 0,
    version bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (user_id, asset),
    CONSTRAINT balance_non_negative CHECK (balance >= 0),
    CONSTRAINT debt_non_negative CHECK (debt >= 0),
    CONSTRAINT balance_or_debt CHECK (balance = 0 OR debt = 0)
) WITH (fillfactor = 50);

CREATE TABLE merchant_balances (
    merchant_id text NOT NULL,
    asset text NOT NULL,
    balance numeric(38,18) NOT NULL DEFAULT 0,
    version bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (merchant_id, asset)
) WITH (fillfactor = 50);

-- The journal: the last line of defence, never dropped. A second row for one source event, or a
-- second row of one account with the same version (a fork), cannot exist.
CREATE SEQUENCE balance_events_id_seq;
CREATE TABLE balance_events (
    id bigint PRIMARY KEY DEFAULT nextval('balance_events_id_seq'),
    user_id bigint NOT NULL,
    asset text NOT NULL,
    amount numeric(38,18) NOT NULL,
    balance_after numeric(38,18) NOT NULL,
    version bigint NOT NULL,
    source_event_id text NOT NULL,
    event_type text NOT NULL,
    event_no bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT balance_events_amount_not_zero CHECK (amount <> 0),
    CONSTRAINT uq_balance_events_source UNIQUE (source_event_id, event_type),
    CONSTRAINT uq_balance_events_version UNIQUE (user_id, asset, version)
);

-- ---------------------------------------------------------------- intake

-- Alone decides first or duplicate; permanent.
CREATE TABLE event_keys (
    idempotency_key bytea NOT NULL,
    event_no bigint NOT NULL,
    fingerprint bytea NOT NULL,
    PRIMARY KEY (idempotency_key),
    CONSTRAINT event_keys_key_size CHECK (octet_length(idempotency_key) = 32)
) PARTITION BY HASH (idempotency_key);

DO $$
BEGIN
    FOR part IN 0..15 LOOP
        EXECUTE format('CREATE TABLE event_keys_%s PARTITION OF event_keys
            FOR VALUES WITH (MODULUS 16, REMAINDER %s)', lpad(part::text, 2, '0'), part);
    END LOOP;
END
$$;

-- CACHE 1: numbers are taken in the order of arrival. Duplicates burn numbers; gaps mean nothing.
CREATE SEQUENCE event_no_seq CACHE 1;

-- Written once. The only updates are null -> outcome (and a replay's failed -> null), so no index
-- holds a column that changes; the partitions' fillfactor 60 leaves room for the heap-only update.
CREATE TABLE payment_events (
    event_no bigint NOT NULL,
    event_id text NOT NULL,
    event_type text NOT NULL,
    source text NOT NULL,
    user_id bigint NOT NULL,
    asset text NOT NULL,
    amount numeric(38,18) NOT NULL,
    merchant_id text,
    original_event_id text,
    chain text,
    tx_hash text,
    tx_position integer[],
    to_address text,
    block_number bigint,
    block_hash text,
    trace_id text NOT NULL,
    received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    outcome text,
    failure text,
    settled_at timestamptz,
    PRIMARY KEY (event_no),
    CONSTRAINT payment_events_amount_positive CHECK (amount > 0),
    CONSTRAINT payment_events_outcome CHECK (outcome IN ('confirmed', 'failed')),
    CONSTRAINT payment_events_failure
        CHECK ((failure IS NOT NULL) = (outcome IS NOT DISTINCT FROM 'failed')),
    CONSTRAINT payment_events_settled CHECK ((settled_at IS NULL) = (outcome IS NULL))
) PARTITION BY RANGE (event_no);

-- One row for each authentic delivery, whatever became of it. The body is kept for the first
-- delivery of an event and for each one that differs.
CREATE SEQUENCE deliveries_id_seq;
CREATE TABLE deliveries (
    id bigint NOT NULL DEFAULT nextval('deliveries_id_seq'),
    event_no bigint,
    source text NOT NULL,
    received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    verdict text NOT NULL,
    body_sha256 bytea NOT NULL,
    body bytea,
    headers jsonb,
    trace_id text NOT NULL,
    remote text,
    PRIMARY KEY (id),
    CONSTRAINT deliveries_verdict CHECK (verdict IN
        ('accepted', 'duplicate', 'conflict', 'quarantined', 'refused'))
) PARTITION BY RANGE (id);
-- With the body's hash, so that "is this very body kept" stays one look however often it came.
CREATE INDEX deliveries_event_no ON deliveries (event_no, body_sha256);

-- Authentic deliveries that could not become an event; the same bytes again only count.
CREATE TABLE quarantine (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    source text NOT NULL,
    reason text NOT NULL,
    detail text NOT NULL DEFAULT '',
    body_sha256 bytea NOT NULL,
    body bytea NOT NULL,
    headers jsonb,
    first_seen timestamptz NOT NULL DEFAULT clock_timestamp(),
    last_seen timestamptz NOT NULL DEFAULT clock_timestamp(),
    count bigint NOT NULL DEFAULT 1,
    state text NOT NULL DEFAULT 'open',
    CONSTRAINT uq_quarantine_body UNIQUE (body_sha256),
    CONSTRAINT quarantine_state CHECK (state IN ('open', 'released', 'discarded'))
);

-- ---------------------------------------------------------------- work

-- Only workable rows: a row here is work, whoever announced it. Deleted when the event ends or
-- has to wait. A queue lives from prompt vacuuming.
CREATE TABLE event_queue (
    event_no bigint PRIMARY KEY,
    user_id bigint NOT NULL,
    lane smallint NOT NULL,
    attempts smallint NOT NULL DEFAULT 0,
    CONSTRAINT event_queue_lane CHECK (lane = user_id % 64)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000,
    autovacuum_vacuum_cost_delay = 0);

-- What has to wait; dispatch moves what is due into event_queue.
CREATE TABLE event_waits (
    event_no bigint PRIMARY KEY,
    user_id bigint NOT NULL,
    lane smallint NOT NULL,
    reason text NOT NULL,
    chain text,
    block_number bigint,
    attempts smallint NOT NULL DEFAULT 0,
    due_at timestamptz NOT NULL,
    CONSTRAINT event_waits_lane CHECK (lane = user_id % 64),
    CONSTRAINT event_waits_reason CHECK (reason IN ('finality', 'retry', 'original', 'replay'))
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000,
    autovacuum_vacuum_cost_delay = 0);
CREATE INDEX event_waits_due ON event_waits (due_at);
CREATE INDEX event_waits_user ON event_waits (user_id);

-- A lane's row lock is the right to settle its accounts.
CREATE TABLE lanes (lane smallint PRIMARY KEY);
INSERT INTO lanes SELECT generate_series(0, 63);

-- The base system's outcome table; dropped after 14 days, the guards remain.
CREATE TABLE processed_events (
    event_no bigint NOT NULL,
    idempotency_key bytea NOT NULL,
    outcome text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (event_no),
    CONSTRAINT processed_events_outcome CHECK (outcome IN ('success', 'insufficient_funds'))
) PARTITION BY RANGE (event_no);

-- Permanent: one transfer on a chain moves money once, under whatever id it is reported.
CREATE TABLE onchain_claims (
    chain text NOT NULL,
    tx_hash text NOT NULL,
    ordinal integer[] NOT NULL,
    side text NOT NULL,
    event_no bigint,
    state text NOT NULL,
    contract text,
    address text,
    amount numeric(38,18) NOT NULL,
    generation integer NOT NULL DEFAULT 0,
    block_number bigint,
    block_hash text,
    PRIMARY KEY (chain, tx_hash, ordinal, side),
    CONSTRAINT onchain_claims_side CHECK (side IN ('in', 'out')),
    CONSTRAINT onchain_claims_state CHECK (state IN ('seen', 'credited', 'reversed'))
);

CREATE TABLE dead_letter_queue (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    letter_uid uuid NOT NULL,
    event_no bigint NOT NULL,
    event_id text NOT NULL,
    event_type text NOT NULL,
    source text NOT NULL,
    user_id bigint NOT NULL,
    asset text NOT NULL,
    amount numeric(38,18) NOT NULL,
    merchant_id text,
    error text NOT NULL,
    error_class text NOT NULL,
    cause text NOT NULL,
    attempt smallint NOT NULL,
    trace_id text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    state text NOT NULL DEFAULT 'open',
    CONSTRAINT uq_dead_letter_uid UNIQUE (letter_uid),
    CONSTRAINT dead_letter_state CHECK (state IN ('open', 'replaying', 'resolved', 'discarded'))
);
CREATE INDEX dead_letter_event ON dead_letter_queue (event_no);
CREATE INDEX dead_letter_cause ON dead_letter_queue (cause, id);
CREATE INDEX dead_letter_created ON dead_letter_queue (created_at);

-- Written in the money's transaction, rendered and stored before the first send.
CREATE SEQUENCE notifications_id_seq;
CREATE TABLE notifications (
    id bigint PRIMARY KEY DEFAULT nextval('notifications_id_seq'),
    event_no bigint NOT NULL,
    kind text NOT NULL,
    target text NOT NULL,
    webhook_id text,
    body text,
    attempts smallint NOT NULL DEFAULT 0,
    next_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    delivered_at timestamptz,
    state text NOT NULL DEFAULT 'waiting',
    CONSTRAINT uq_notifications_event UNIQUE (event_no, kind, target),
    CONSTRAINT notifications_kind CHECK (kind IN ('credited', 'debited', 'insufficient_funds',
        'refunded', 'reversed', 'recredited', 'failed')),
    CONSTRAINT notifications_state CHECK (state IN
        ('waiting', 'sent', 'delivered', 'paused', 'given up'))
);

-- ---------------------------------------------------------------- the log

-- Outbox and timeline in one: numbers in commit order without gaps, given under the lock of
-- log_tail. It carries all the stream needs, so nothing is joined when it is relayed or replayed.
CREATE TABLE payment_log (
    no bigint NOT NULL,
    event_no bigint NOT NULL,
    kind text NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    actor text NOT NULL,
    trace_id text NOT NULL,
    payment_id text NOT NULL,
    event_type text NOT NULL,
    user_id bigint NOT NULL,
    merchant_id text,
    asset text NOT NULL,
    amount numeric(38,18) NOT NULL,
    detail jsonb,
    PRIMARY KEY (no),
    CONSTRAINT payment_log_no_positive CHECK (no > 0)
) PARTITION BY RANGE (no);
CREATE INDEX payment_log_event ON payment_log (event_no);

CREATE TABLE log_tail (
    only_row boolean PRIMARY KEY DEFAULT true,
    epoch uuid NOT NULL DEFAULT gen_random_uuid(),
    CONSTRAINT log_tail_only_row CHECK (only_row)
);
INSERT INTO log_tail DEFAULT VALUES;

-- Low watermarks of the stream's groups: everything up to `low` has been acknowledged.
CREATE TABLE stream_positions (
    group_name text PRIMARY KEY,
    low bigint NOT NULL DEFAULT 0,
    epoch uuid,
    CONSTRAINT stream_positions_low CHECK (low >= 0)
);

-- ---------------------------------------------------------------- running it

CREATE TABLE processor_instances (
    instance text PRIMARY KEY,
    host text NOT NULL,
    boot_id text NOT NULL,
    roles text[] NOT NULL,
    version text NOT NULL,
    started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    heartbeat_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE TABLE alerts (
    key text PRIMARY KEY,
    severity text NOT NULL,
    message text NOT NULL,
    first_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    last_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    count bigint NOT NULL DEFAULT 1,
    state text NOT NULL DEFAULT 'open',
    silenced_until timestamptz,
    detail jsonb,
    CONSTRAINT alerts_severity CHECK (severity IN ('INFO', 'WARNING', 'CRITICAL')),
    CONSTRAINT alerts_state CHECK (state IN ('open', 'acknowledged', 'resolved'))
);

-- Where an event stands: the table its work row is in, or its outcome. Null would mean an event
-- that nobody works on, which the zombie check looks for.
CREATE VIEW payment_status AS
SELECT e.event_no, e.event_id, e.event_type, e.user_id, e.asset, e.amount,
    CASE
        WHEN e.outcome IS NOT NULL THEN e.outcome
        WHEN EXISTS (SELECT FROM event_queue q WHERE q.event_no = e.event_no) THEN 'enqueued'
        WHEN EXISTS (SELECT FROM event_waits w WHERE w.event_no = e.event_no) THEN 'pending'
    END AS status,
    e.failure, e.received_at, e.settled_at
FROM payment_events e;

-- ---------------------------------------------------------------- what may not happen

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% on % is not allowed', TG_OP, TG_TABLE_NAME USING ERRCODE = '42501';
END
$$;

CREATE TRIGGER balance_events_append_only BEFORE UPDATE OR DELETE ON balance_events
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER balance_events_no_truncate BEFORE TRUNCATE ON balance_events
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER event_keys_append_only BEFORE UPDATE OR DELETE ON event_keys
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER event_keys_no_truncate BEFORE TRUNCATE ON event_keys
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER deliveries_append_only BEFORE UPDATE OR DELETE ON deliveries
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER users_not_deleted BEFORE DELETE ON users
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER assets_not_deleted BEFORE DELETE ON assets
    FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- An event is what its provider said; only its ending is added, once.
CREATE TRIGGER payment_events_ended BEFORE UPDATE ON payment_events FOR EACH ROW
    WHEN (OLD.outcome IS NOT NULL
        OR (OLD.event_no, OLD.event_id, OLD.event_type, OLD.source, OLD.user_id, OLD.asset,
            OLD.amount, OLD.merchant_id, OLD.original_event_id, OLD.chain, OLD.tx_hash)
        IS DISTINCT FROM
           (NEW.event_no, NEW.event_id, NEW.event_type, NEW.source, NEW.user_id, NEW.asset,
            NEW.amount, NEW.merchant_id, NEW.original_event_id, NEW.chain, NEW.tx_hash))
    EXECUTE FUNCTION refuse_change();

-- ---------------------------------------------------------------- partitions

CREATE TABLE partitioned_tables (
    name text PRIMARY KEY,
    width bigint NOT NULL,
    CONSTRAINT partitioned_tables_width CHECK (width > 0)
);
INSERT INTO partitioned_tables VALUES
    ('payment_events', 5000000), ('processed_events', 5000000),
    ('deliveries', 5000000), ('payment_log', 10000000);

-- Makes partitions until two whole ones lie ahead of the number in use, and says how many it made.
-- CREATE and ATTACH instead of PARTITION OF: attaching takes no lock that stops writers. No default
-- partition: a row outside all ranges must be an error, not a silent pile.
CREATE FUNCTION make_partitions() RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    parent record;
    used bigint;
    part bigint;
    child text;
    made integer := 0;
BEGIN
    -- One at a time; two instances starting together must not both create.
    LOCK TABLE public.partitioned_tables IN SHARE ROW EXCLUSIVE MODE;
    FOR parent IN SELECT name, width FROM public.partitioned_tables ORDER BY name LOOP
        used := CASE parent.name
            WHEN 'payment_log' THEN (SELECT coalesce(max(no), 0) FROM public.payment_log)
            WHEN 'deliveries' THEN (SELECT last_value FROM public.deliveries_id_seq)
            ELSE (SELECT last_value FROM public.event_no_seq) END;
        FOR part IN used / parent.width .. used / parent.width + 2 LOOP
            child := parent.name || '_p' || lpad(part::text, 6, '0');
            CONTINUE WHEN to_regclass('public.' || child) IS NOT NULL;
            EXECUTE format('CREATE TABLE public.%I (LIKE public.%I INCLUDING ALL)',
                child, parent.name);
            IF parent.name = 'payment_events' THEN
                EXECUTE format('ALTER TABLE public.%I SET (fillfactor = 60)', child);
            END IF;
            EXECUTE format(
                'ALTER TABLE public.%I ATTACH PARTITION public.%I FOR VALUES FROM (%s) TO (%s)',
                parent.name, child, part * parent.width, (part + 1) * parent.width);
            made := made + 1;
        END LOOP;
    END LOOP;
    RETURN made;
END
$$;
REVOKE EXECUTE ON FUNCTION make_partitions() FROM PUBLIC;
SELECT make_partitions();

-- ---------------------------------------------------------------- who may

RESET ROLE;

-- Includes schema_migrations, which belongs to whoever migrated first.
GRANT SELECT ON ALL TABLES IN SCHEMA public TO countersign_processor;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO countersign_processor;
GRANT EXECUTE ON FUNCTION make_partitions() TO countersign_processor;
GRANT INSERT ON users, assets, deposit_addresses, event_keys, payment_events, deliveries,
    processed_events, balance_events, payment_log, dead_letter_queue TO countersign_processor;
GRANT UPDATE (outcome, failure, settled_at) ON payment_events TO countersign_processor;
GRANT INSERT, UPDATE ON balances, merchant_balances, quarantine, onchain_claims, notifications,
    stream_positions, alerts, log_tail TO countersign_processor;
-- Row locks need an update right; the row itself has nothing to change.
GRANT UPDATE ON lanes TO countersign_processor;
GRANT INSERT, UPDATE, DELETE ON event_queue, event_waits, processor_instances
    TO countersign_processor;
GRANT UPDATE (state) ON dead_letter_queue TO countersign_processor;
