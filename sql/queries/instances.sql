-- Who is alive. Judged by the server's clock alone.

-- name: instance_beat
-- in: text, text, text, text[], text
INSERT INTO processor_instances (instance, host, boot_id, roles, version)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (instance) DO UPDATE
SET heartbeat_at = clock_timestamp(), roles = excluded.roles, version = excluded.version

-- name: instance_live
-- out: bigint, bigint
-- Live instances, and live settlers: one for each time an instance's roles name 'settle'. Three
-- missed beats are a death.
SELECT count(*), coalesce(sum(cardinality(array_positions(roles, 'settle'))), 0)::bigint
FROM processor_instances
WHERE heartbeat_at > statement_timestamp() - interval '15 seconds'

-- name: instance_leave
-- in: text
DELETE FROM processor_instances WHERE instance = $1

-- name: instance_forget
-- The dead stay for a day: the zombie check asks for their last heartbeat.
DELETE FROM processor_instances WHERE heartbeat_at < statement_timestamp() - interval '1 day'

-- name: instance_settlers_of_host
-- in: text, text
-- out: text
-- Other instances of this host that settle, or did when they were last heard of.
SELECT instance FROM processor_instances
WHERE host = $1 AND instance <> $2 AND 'settle' = ANY (roles)
ORDER BY instance

-- name: instance_heard_of
-- in: bigint
-- out: text
-- Those that gave a sign of life within the last $1 seconds.
SELECT instance FROM processor_instances
WHERE heartbeat_at > statement_timestamp() - $1 * interval '1 second'
