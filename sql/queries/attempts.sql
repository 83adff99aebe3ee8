-- Failed attempts that another one follows.

-- name: attempt_note
-- in: bigint, smallint, text, text, text
INSERT INTO event_attempts (event_no, attempt, error, error_class, cause)
VALUES ($1, $2, $3, $4, $5)
