-- Takes consumers off a group, those named that hold nothing and have been silent. Looked at and
-- removed in one step, because removing a consumer destroys the entries it holds.
--   KEYS[1] stream
--   ARGV[1] group, ARGV[2] least silence in milliseconds, then names
--   → how many
local named = {}
for i = 3, #ARGV do
    named[ARGV[i]] = true
end
local gone = 0
for _, raw in ipairs(redis.call('XINFO', 'CONSUMERS', KEYS[1], ARGV[1])) do
    local consumer = {}
    for i = 1, #raw, 2 do
        consumer[raw[i]] = raw[i + 1]
    end
    if named[consumer['name']] and consumer['pending'] == 0
        and consumer['idle'] >= tonumber(ARGV[2]) then
        redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], consumer['name'])
        gone = gone + 1
    end
end
return gone
