-- Moves an entry to the end of its list, in one step: between the two it would stand nowhere.
--   KEYS[1] list
--   ARGV[1] entry
--   → 1 when it was there
if redis.call('LREM', KEYS[1], 1, ARGV[1]) == 0 then
    return 0
end
redis.call('RPUSH', KEYS[1], ARGV[1])
return 1
