#include "processor/ingest/rate_limiter.h"

#include "processor/base/log.h"
#include "processor/ingest/limited_address.h"

#include <algorithm>
#include <utility>

namespace ingest {
namespace {

using namespace std::chrono_literals;

// After a failure Redis is left alone for a moment, or each batch would wait for its time-out.
constexpr std::chrono::milliseconds kLeaveAlone{1'000};

// KEYS: one list an address, newest time first, in microseconds. ARGV: per second, per minute.
// Returns for each how many microseconds it has to wait, 0 = admitted. A time from the future means
// that the clock was set back: such a list is worthless.
constexpr std::string_view kScript = R"lua(
local clock = redis.call('TIME')
local now = tonumber(clock[1]) * 1000000 + tonumber(clock[2])
local limits = { { tonumber(ARGV[1]), 1000000 }, { tonumber(ARGV[2]), 60000000 } }
local most = math.max(limits[1][1], limits[2][1])
local waits = {}
for place, key in ipairs(KEYS) do
    local wait = 0
    for _, limit in ipairs(limits) do
        local times = limit[1]
        local window = limit[2]
        local past = times > 0 and redis.call('LINDEX', key, times - 1)
        if past then
            local left = tonumber(past) + window - now
            if left > window then
                redis.call('DEL', key)
            elseif left > wait then
                wait = left
            end
        end
    end
    if wait == 0 then
        redis.call('LPUSH', key, string.format('%.0f', now))
        redis.call('LTRIM', key, 0, most - 1)
        redis.call('PEXPIRE', key, 60000)
    end
    waits[place] = wait
end
return waits
)lua";

} // namespace

RateLimiter::RateLimiter(RateLimits limits, const std::string& redisUrl, Clock clock)
    : m_limits{limits}
    , m_clock{std::move(clock)}
    , m_windows{limits}
    , m_redis{{.url = redisUrl,
          .connectTimeout = base::kRateLimitTimeout,
          .commandTimeout = base::kRateLimitTimeout}}
{}

std::vector<std::optional<std::chrono::seconds>> RateLimiter::judge(
    std::span<const std::string_view> remotes)
{
    std::vector<std::optional<std::chrono::seconds>> verdicts(remotes.size());
    if (m_limits.areOff() || remotes.empty()) return verdicts;

    std::vector<std::string> addresses;
    addresses.reserve(remotes.size());
    for (const std::string_view remote : remotes) addresses.push_back(limitedAddress(remote));
    const auto shared = askRedis(addresses);
    const auto now = m_clock();
    for (std::size_t i = 0; i < addresses.size(); ++i) {
        std::optional<std::chrono::microseconds> wait;
        if (shared) {
            wait = (*shared)[i];
            // Counted here as well, so that nothing is forgotten when Redis goes.
            if (!wait) m_windows.note(addresses[i], now);
        } else {
            wait = m_windows.admit(addresses[i], now);
        }
        if (wait) verdicts[i] = std::max(std::chrono::ceil<std::chrono::seconds>(*wait), 1s);
    }
    return verdicts;
}

std::optional<RateLimiter::Verdicts> RateLimiter::askRedis(std::span<const std::string> addresses)
{
    const auto now = m_clock();
    if (now < m_askAgain) return std::nullopt;
    std::vector<std::string> keys;
    keys.reserve(addresses.size());
    for (const std::string& address : addresses) keys.push_back("rl:" + address);
    const auto reply = m_redis.runScript(
        kScript, keys, {std::to_string(m_limits.perSecond), std::to_string(m_limits.perMinute)});
    if (!reply || reply->items.size() != addresses.size()) {
        m_askAgain = m_clock() + kLeaveAlone;
        noteShared(false, reply ? "an answer of the wrong size" : reply.error().message);
        return std::nullopt;
    }
    noteShared(true, {});
    Verdicts verdicts(addresses.size());
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
        const std::int64_t wait = reply->items[i].integer;
        if (wait > 0) verdicts[i] = std::chrono::microseconds{wait};
    }
    return verdicts;
}

void RateLimiter::noteShared(bool isShared, std::string_view why)
{
    if (std::exchange(m_isShared, isShared) == isShared) return;
    if (isShared) {
        base::logInfo("rate limits are shared through Redis again");
    } else {
        base::logWarning("rate limits hold for this process alone: Redis did not answer",
            {{"error", std::string{why}}});
    }
}

} // namespace ingest
