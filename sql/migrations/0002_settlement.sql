-- What settlement needs beside the path of migration 0001: retries that hold back their account,
-- tries of careful mode, and what was given back of each deposit.

SET LOCAL ROLE countersign_owner;

-- A retry holds back later events of its account, and an account is a user and an asset. Null, for
-- other reasons to wait, holds nobody. The index is almost always empty.
ALTER TABLE event_waits ADD COLUMN asset text;
CREATE INDEX event_waits_retry ON event_waits (user_id) WHERE reason = 'retry';

-- Tries begun in careful mode, committed before the try: only they can convict an event of killing
-- its worker. Kept apart from `attempts`, which counts failures.
ALTER TABLE event_queue ADD COLUMN tries smallint NOT NULL DEFAULT 0;

-- Refunds, reversals and renewed credits by the deposit they refer to. Permanent, like the journal:
-- the sum of refunds must stay known for as long as a deposit can be refunded.
CREATE TABLE deposit_returns (
    original_no bigint NOT NULL,
    event_no bigint NOT NULL,
    event_type text NOT NULL,
    amount numeric(38,18) NOT NULL,
    PRIMARY KEY (original_no, event_no),
    CONSTRAINT deposit_returns_amount_positive CHECK (amount > 0),
    CONSTRAINT deposit_returns_type
        CHECK (event_type IN ('refund', 'reorg_reversal', 'reorg_credit'))
);
CREATE TRIGGER deposit_returns_append_only BEFORE UPDATE OR DELETE ON deposit_returns
    FOR EACH ROW EXECUTE FUNCTION refuse_change();

RESET ROLE;

GRANT SELECT, INSERT ON deposit_returns TO countersign_processor;
