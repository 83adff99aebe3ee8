// RateLimiter: the limits per address, shared by all processes through Redis, exact without it.
#pragma once

#include "processor/base/limits.h"
#include "processor/ingest/sliding_window.h"
#include "processor/redis/client.h"

#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ingest {

/// Both places keep the times of the last admitted requests of an address (a sliding window): the
/// 31st request within any second is refused, wherever a wall second begins and whichever process
/// it reaches; refused ones do not count. In Redis that is the list `rl:<address>` by Redis' own
/// clock, and one script judges a batch in one round trip. While Redis is away or slower than
/// kRateLimitTimeout, this process judges by what it has admitted itself. One thread.
class RateLimiter
{
public:
    using Clock = std::function<std::chrono::steady_clock::time_point()>;

    RateLimiter(RateLimits limits, const std::string& redisUrl,
        Clock clock = &std::chrono::steady_clock::now);

    /// One verdict a remote address (limited_address.h), in order; one may occur several times.
    /// Empty: admitted;
    /// otherwise the seconds after which it is worth another try, at least 1.
    std::vector<std::optional<std::chrono::seconds>> judge(
        std::span<const std::string_view> remotes);

    /// Whether the last batch was judged by all processes together.
    [[nodiscard]] bool isShared() const { return m_isShared; }

private:
    using Verdicts = std::vector<std::optional<std::chrono::microseconds>>;

    std::optional<Verdicts> askRedis(std::span<const std::string> addresses);
    void noteShared(bool isShared, std::string_view why);

    const RateLimits m_limits;
    Clock m_clock;
    SlidingWindows m_windows;
    redis::Client m_redis;
    std::chrono::steady_clock::time_point m_askAgain{};
    bool m_isShared = true;
};

} // namespace ingest
