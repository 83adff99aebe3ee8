-- name: partitions_make
-- out: integer
SELECT make_partitions()
