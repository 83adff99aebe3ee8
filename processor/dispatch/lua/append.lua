-- Compare and append: the entries are written only if the stream ends exactly where their writer
-- believes. So neither a second relay, nor an answer that got lost, nor a stream that went back in
-- time can make a gap or a duplicate.
--   KEYS[1] stream
--   ARGV[1] number that must be last, ARGV[2] epoch, then for each entry ten values:
--           number, event, payment_id, event_type, user_id, merchant_id ('' when there is none),
--           asset, amount, trace_id, at
--   → { 1 when written, last-generated-id now, length now }
-- Ids are compared as text: a Lua number is exact only up to 2^53.
local key, epoch = KEYS[1], ARGV[2]
if redis.call('EXISTS', key) == 0 then
    return { 0, '0-0', 0 }
end
local flat = redis.call('XINFO', 'STREAM', key)
local info = {}
for i = 1, #flat, 2 do
    info[flat[i]] = flat[i + 1]
end
local last = info['last-generated-id']
if last ~= ARGV[1] .. '-0' then
    return { 0, last, info['length'] }
end
-- Written under another epoch: the log behind this stream is not the one the entries come from.
if info['last-entry'] then
    local fields = info['last-entry'][2]
    for i = 1, #fields, 2 do
        if fields[i] == 'epoch' and fields[i + 1] ~= epoch then
            return { 0, last, info['length'] }
        end
    end
end
local length = info['length']
for i = 3, #ARGV, 10 do
    last = ARGV[i] .. '-0'
    if ARGV[i + 5] == '' then
        redis.call('XADD', key, last,
            'event', ARGV[i + 1], 'payment_id', ARGV[i + 2], 'event_type', ARGV[i + 3],
            'user_id', ARGV[i + 4], 'asset', ARGV[i + 6], 'amount', ARGV[i + 7],
            'trace_id', ARGV[i + 8], 'at', ARGV[i + 9], 'epoch', epoch)
    else
        redis.call('XADD', key, last,
            'event', ARGV[i + 1], 'payment_id', ARGV[i + 2], 'event_type', ARGV[i + 3],
            'user_id', ARGV[i + 4], 'merchant_id', ARGV[i + 5], 'asset', ARGV[i + 6],
            'amount', ARGV[i + 7], 'trace_id', ARGV[i + 8], 'at', ARGV[i + 9], 'epoch', epoch)
    end
    length = length + 1
end
return { 1, last, length }
