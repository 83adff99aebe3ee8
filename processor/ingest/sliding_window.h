// SlidingWindows: exact request limits per address within this process.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ingest {

/// Requests one address may make within any second and any minute; 0 = no such limit.
struct RateLimits
{
    int perSecond = 30;
    int perMinute = 300;

    [[nodiscard]] bool areOff() const { return perSecond <= 0 && perMinute <= 0; }
};

/// Remembers the times of the last admitted requests of each address, so there is no window edge at
/// which twice the limit slips through. Refused requests do not count: a client that keeps to the
/// limit afterwards is served. Not shared between threads.
class SlidingWindows
{
public:
    using Time = std::chrono::steady_clock::time_point;

    explicit SlidingWindows(RateLimits limits);

    /// Empty: admitted, and counted. Otherwise how long until the address is admitted again.
    std::optional<std::chrono::microseconds> admit(std::string_view address, Time now);
    /// Counts a request that somebody else admitted.
    void note(std::string_view address, Time now);

    [[nodiscard]] std::size_t addresses() const { return m_addresses.size(); }

private:
    // A ring: times[next] is the oldest once it has grown to its full size.
    struct Track
    {
        std::vector<Time> times;
        std::size_t next = 0;

        [[nodiscard]] Time newest() const;
        /// The time of the n-th last request, n from 1; empty when there were fewer.
        [[nodiscard]] std::optional<Time> ago(std::size_t n) const;
        void add(Time now, std::size_t most);
    };

    Track* find(std::string_view address, Time now);
    void forgetOld(Time now);

    const RateLimits m_limits;
    const std::size_t m_most;
    std::unordered_map<std::string, Track> m_addresses;
    Time m_nextForget{};
};

} // namespace ingest
