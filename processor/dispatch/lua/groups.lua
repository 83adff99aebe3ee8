-- Makes the groups stand where PostgreSQL says. A stream that has never held an entry (new, or
-- wiped) is set to the lowest position, so that the next number appended is the one after it.
-- One script, because a reader must never see a stream without its groups.
--   KEYS[1] stream
--   ARGV[1] lowest position, then pairs of group and position
--   → last-generated-id
local key = KEYS[1]
local last, standing = '0-0', {}
if redis.call('EXISTS', key) == 1 then
    local flat = redis.call('XINFO', 'STREAM', key)
    for i = 1, #flat, 2 do
        if flat[i] == 'last-generated-id' then
            last = flat[i + 1]
        end
    end
    for _, raw in ipairs(redis.call('XINFO', 'GROUPS', key)) do
        local group = {}
        for i = 1, #raw, 2 do
            group[raw[i]] = raw[i + 1]
        end
        standing[group['name']] = group['last-delivered-id']
    end
end
local isEmpty = last == '0-0'
for i = 2, #ARGV, 2 do
    local group, position = ARGV[i], ARGV[i + 1] .. '-0'
    if not standing[group] then
        redis.call('XGROUP', 'CREATE', key, group, position, 'MKSTREAM')
    elseif isEmpty and standing[group] ~= position then
        redis.call('XGROUP', 'SETID', key, group, position)
    end
end
if isEmpty and ARGV[1] ~= '0' then
    last = ARGV[1] .. '-0'
    redis.call('XSETID', key, last)
end
return last
