-- Takes consumers off a group that have been silent and hold nothing. Looked at and removed in one
-- step, because removing a consumer destroys the entries it holds.
--   KEYS[1] stream
--   ARGV[1] group, ARGV[2] least silence in milliseconds, ARGV[3] the one consumer meant, or '' for
--   all but ARGV[4], the one who asks
--   → how many
local gone = 0
for _, raw in ipairs(redis.call('XINFO', 'CONSUMERS', KEYS[1], ARGV[1])) do
    local consumer = {}
    for i = 1, #raw, 2 do
        consumer[raw[i]] = raw[i + 1]
    end
    local isMeant = consumer['name'] == ARGV[3]
        or (ARGV[3] == '' and consumer['name'] ~= ARGV[4])
    if isMeant and consumer['pending'] == 0 and consumer['idle'] >= tonumber(ARGV[2]) then
        redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], consumer['name'])
        gone = gone + 1
    end
end
return gone
