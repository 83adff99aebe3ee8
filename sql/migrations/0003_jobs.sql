-- What runs by the clock, and what the history of an event needs beyond its letters.

SET LOCAL ROLE countersign_owner;

-- One row for each thing that is done again and again, by whichever instance gets there first. A
-- short job holds the row's lock while it runs; a longer one holds a lease, whose token each of its
-- transactions checks. All times are the database's.
CREATE TABLE jobs (
    name text PRIMARY KEY,
    every interval,
    daily_at time, -- in `timezone`
    timezone text NOT NULL DEFAULT 'UTC',
    next_due_at timestamptz NOT NULL,
    last_started_at timestamptz,
    last_finished_at timestamptz,
    last_result text,
    last_error text,
    last_said text, -- what it did, in its own words
    lease_token uuid,
    lease_until timestamptz,
    walked_to bigint NOT NULL DEFAULT 0, -- where a job that walks a table goes on
    CONSTRAINT jobs_time CHECK ((every IS NULL) <> (daily_at IS NULL)),
    CONSTRAINT jobs_every_positive CHECK (every > interval '0'),
    CONSTRAINT jobs_lease CHECK ((lease_token IS NULL) = (lease_until IS NULL)),
    CONSTRAINT jobs_result CHECK (last_result IN ('ok', 'failed'))
);

-- Attempts that were followed by another one; the last attempt is told by its dead letter. Rare,
-- and kept like the letters.
CREATE TABLE event_attempts (
    event_no bigint NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    attempt smallint NOT NULL,
    error text NOT NULL,
    error_class text NOT NULL,
    cause text NOT NULL,
    PRIMARY KEY (event_no, at)
);

RESET ROLE;

GRANT SELECT, INSERT, UPDATE ON jobs TO countersign_processor;
GRANT SELECT, INSERT ON event_attempts TO countersign_processor;
