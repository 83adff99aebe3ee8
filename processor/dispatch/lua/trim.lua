-- Drops entries below a number that every group has acknowledged, exactly. The entry of that number
-- stays: a stream that has delivered everything still shows what it ends with.
--   KEYS[1] stream
--   ARGV[1] number, ARGV[2] epoch of the log the number was taken from
--   → entries dropped
if redis.call('EXISTS', KEYS[1]) == 0 then
    return 0
end
local newest = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if not newest then
    return 0
end
for i = 1, #newest[2], 2 do
    if newest[2][i] == 'epoch' and newest[2][i + 1] ~= ARGV[2] then
        return 0
    end
end
return redis.call('XTRIM', KEYS[1], 'MINID', '=', ARGV[1] .. '-0')
