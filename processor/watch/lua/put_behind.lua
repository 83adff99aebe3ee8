-- Moves an entry from one list to the end of the other, in one step: between the two it would stand
-- nowhere.
--   KEYS[1] list it stands in, KEYS[2] list it goes to
--   ARGV[1] entry
--   → 1 when it was there
if redis.call('LREM', KEYS[1], 1, ARGV[1]) == 0 then
    return 0
end
redis.call('RPUSH', KEYS[2], ARGV[1])
return 1
