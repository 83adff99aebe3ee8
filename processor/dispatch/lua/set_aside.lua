-- Renames a stream that no longer tells the log's story; it is kept as evidence.
--   KEYS[1] stream, KEYS[2] its new name
--   ARGV[1] last-generated-id it was judged by: another one means that somebody acted meanwhile
--   → 1 when renamed
if redis.call('EXISTS', KEYS[1]) == 0 then
    return 0
end
local flat = redis.call('XINFO', 'STREAM', KEYS[1])
for i = 1, #flat, 2 do
    if flat[i] == 'last-generated-id' and flat[i + 1] ~= ARGV[1] then
        return 0
    end
end
redis.call('RENAME', KEYS[1], KEYS[2])
return 1
