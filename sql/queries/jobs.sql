-- Jobs: who runs what and when, by the database's clock alone.

-- name: job_register
-- in: text, bigint, bigint, text, boolean
-- $2 is the interval in milliseconds, or $3 the minute of the day in time zone $4. A job that is
-- there takes these times only if $5, and keeps what is due sooner. A row that is right is not
-- touched, for it may be locked by the job at work.
INSERT INTO jobs AS known (name, every, daily_at, timezone, next_due_at)
SELECT $1, wanted.every, wanted.daily_at, $4,
    CASE WHEN wanted.every IS NOT NULL THEN statement_timestamp() ELSE (
        SELECT min(at) FROM generate_series(0, 2) AS day, LATERAL (
            SELECT ((statement_timestamp() AT TIME ZONE $4)::date + day + wanted.daily_at)
                AT TIME ZONE $4 AS at) AS candidate
        WHERE at > statement_timestamp()) END
FROM (SELECT $2 * interval '1 millisecond' AS every,
    time '00:00' + $3 * interval '1 minute' AS daily_at) AS wanted
WHERE NOT EXISTS (
    SELECT FROM jobs same WHERE same.name = $1 AND (NOT $5 OR (same.every, same.daily_at,
        same.timezone) IS NOT DISTINCT FROM (wanted.every, wanted.daily_at, $4)))
ON CONFLICT (name) DO UPDATE
SET every = excluded.every, daily_at = excluded.daily_at, timezone = excluded.timezone,
    next_due_at = least(known.next_due_at, CASE WHEN excluded.every IS NOT NULL
        THEN statement_timestamp() + excluded.every ELSE excluded.next_due_at END)
WHERE $5 AND (known.every, known.daily_at, known.timezone)
    IS DISTINCT FROM (excluded.every, excluded.daily_at, excluded.timezone)

-- name: job_claim
-- in: text[]
-- out: text
-- One of the jobs $1 that is due and that nobody else is at, its row locked. Nobody is waited for.
SELECT name FROM jobs
WHERE name = ANY ($1) AND next_due_at <= statement_timestamp()
    AND (lease_until IS NULL OR lease_until <= statement_timestamp())
ORDER BY next_due_at, name
LIMIT 1
FOR UPDATE SKIP LOCKED

-- name: job_claim_now
-- in: text
-- out: text
-- That job, due or not; nothing while somebody else is at it.
SELECT name FROM jobs
WHERE name = $1 AND (lease_until IS NULL OR lease_until <= statement_timestamp())
FOR UPDATE SKIP LOCKED

-- name: job_begin
-- in: text, bigint
-- out: text, bigint
-- The row is locked. $2 is the lease in seconds, null for a job that runs inside this transaction.
-- Its next time is settled now: a job that fails, or ends its process, is not tried before that.
UPDATE jobs
SET last_started_at = clock_timestamp(),
    lease_token = CASE WHEN $2 IS NOT NULL THEN gen_random_uuid() END,
    lease_until = clock_timestamp() + $2 * interval '1 second',
    next_due_at = CASE WHEN every IS NOT NULL THEN clock_timestamp() + every ELSE (
        SELECT min(at) FROM generate_series(0, 2) AS day, LATERAL (
            SELECT ((clock_timestamp() AT TIME ZONE timezone)::date + day + daily_at)
                AT TIME ZONE timezone AS at) AS candidate
        WHERE at > statement_timestamp()) END
WHERE name = $1
RETURNING lease_token::text, walked_to

-- name: job_hold
-- in: text, text, bigint
-- out: integer
-- First in each transaction of a leased job: no row means that the lease went to somebody else.
-- The row's lock keeps it from going while the transaction runs.
UPDATE jobs SET lease_until = clock_timestamp() + $3 * interval '1 second'
WHERE name = $1 AND lease_token = $2::uuid
RETURNING 1

-- name: job_end
-- in: text, text, text, text, bigint
-- $2 its token (null: the row is locked), $3 the error or null, $4 what it did.
UPDATE jobs
SET last_finished_at = clock_timestamp(), lease_token = NULL, lease_until = NULL,
    last_result = CASE WHEN $3 IS NULL THEN 'ok' ELSE 'failed' END,
    last_error = $3, last_said = $4, walked_to = $5
WHERE name = $1 AND lease_token IS NOT DISTINCT FROM $2::uuid

-- name: job_ask
-- in: text
-- Due at once. A row that is locked just now belongs to a job that is at work.
UPDATE jobs SET next_due_at = statement_timestamp()
WHERE name = (
    SELECT name FROM jobs WHERE name = $1 AND next_due_at > statement_timestamp()
    FOR UPDATE SKIP LOCKED)
