#include "processor/ingest/sliding_window.h"

#include "processor/base/limits.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ingest {

using namespace std::chrono_literals;

SlidingWindows::SlidingWindows(RateLimits limits)
    : m_limits{limits}
    , m_most{static_cast<std::size_t>(std::max({limits.perSecond, limits.perMinute, 1}))}
{}

SlidingWindows::Time SlidingWindows::Track::newest() const
{
    return *ago(1);
}

std::optional<SlidingWindows::Time> SlidingWindows::Track::ago(std::size_t n) const
{
    if (n > times.size()) return std::nullopt;
    return times[(next + times.size() - n) % times.size()];
}

void SlidingWindows::Track::add(Time now, std::size_t most)
{
    if (times.size() < most) {
        times.push_back(now); // `next` stays 0 until the ring is full
        return;
    }
    times[next] = now;
    next = (next + 1) % times.size();
}

std::optional<std::chrono::microseconds> SlidingWindows::admit(std::string_view address, Time now)
{
    Track* track = find(address, now);
    // More addresses than are remembered is not a matter of one address: let it pass.
    if (track == nullptr) return std::nullopt;
    std::chrono::microseconds wait{0};
    const std::array limits{
        std::pair{m_limits.perSecond, 1'000'000us}, std::pair{m_limits.perMinute, 60'000'000us}};
    for (const auto& [limit, window] : limits) {
        if (limit <= 0) continue;
        if (const auto then = track->ago(static_cast<std::size_t>(limit))) {
            wait = std::max(
                wait, std::chrono::duration_cast<std::chrono::microseconds>(*then + window - now));
        }
    }
    if (wait > 0us) return wait;
    track->add(now, m_most);
    return std::nullopt;
}

void SlidingWindows::note(std::string_view address, Time now)
{
    if (Track* track = find(address, now)) track->add(now, m_most);
}

SlidingWindows::Track* SlidingWindows::find(std::string_view address, Time now)
{
    const std::string key{address};
    if (const auto known = m_addresses.find(key); known != m_addresses.end()) {
        return &known->second;
    }
    if (m_addresses.size() >= base::kRateLimitAddressesMax) forgetOld(now);
    if (m_addresses.size() >= base::kRateLimitAddressesMax) return nullptr;
    return &m_addresses[key];
}

void SlidingWindows::forgetOld(Time now)
{
    if (now < m_nextForget) return; // a look at all of them, at most once a second
    m_nextForget = now + 1s;
    std::erase_if(m_addresses, [now](const auto& entry) {
        return entry.second.times.empty() || entry.second.newest() + 60s <= now;
    });
}

} // namespace ingest
