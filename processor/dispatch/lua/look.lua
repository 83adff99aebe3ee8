-- Everything the relay decides on, read together: where the stream ends, its last entry, and for
-- each group the last number delivered and the oldest one not yet acknowledged.
--   KEYS[1] stream
--   → { exists, last-generated-id, length, first id or '', last id or '', fields of the last entry,
--       { { group, last-delivered-id, pending, oldest pending id or '' }, … } }
-- Ids stay text: a Lua number is exact only up to 2^53.
local function named(flat)
    local map = {}
    for i = 1, #flat, 2 do
        map[flat[i]] = flat[i + 1]
    end
    return map
end

if redis.call('EXISTS', KEYS[1]) == 0 then
    return { 0, '0-0', 0, '', '', {}, {} }
end
local info = named(redis.call('XINFO', 'STREAM', KEYS[1]))
local first, last = info['first-entry'], info['last-entry']
local groups = {}
for i, raw in ipairs(redis.call('XINFO', 'GROUPS', KEYS[1])) do
    local group = named(raw)
    local oldest = ''
    if group['pending'] > 0 then
        oldest = redis.call('XPENDING', KEYS[1], group['name'])[2]
    end
    groups[i] = { group['name'], group['last-delivered-id'], group['pending'], oldest }
end
return {
    1,
    info['last-generated-id'],
    info['length'],
    first and first[1] or '',
    last and last[1] or '',
    last and last[2] or {},
    groups,
}
