#include "processor/base/progress.h"

#include "processor/base/check.h"

#include <utility>

namespace base {

Pulse::Pulse(std::string name, std::chrono::milliseconds patience)
    : m_name{std::move(name)}
    , m_patience{patience}
    , m_last{Clock::now().time_since_epoch().count()}
{
    CHECK(!m_name.empty());
    CHECK(m_patience.count() > 0);
}

void Pulse::beat(Clock::time_point now) noexcept
{
    m_last.store(now.time_since_epoch().count(), std::memory_order_relaxed);
}

std::chrono::milliseconds Pulse::age(Clock::time_point now) const
{
    const Clock::time_point last{Clock::duration{m_last.load(std::memory_order_relaxed)}};
    return std::chrono::duration_cast<std::chrono::milliseconds>(now - last);
}

bool Pulse::isStuck(Clock::time_point now) const
{
    return age(now) > m_patience;
}

Pulse& Progress::add(std::string name, std::chrono::milliseconds patience)
{
    const std::scoped_lock lock{m_mutex};
    return m_pulses.emplace_back(std::move(name), patience);
}

std::vector<std::string> Progress::stuck(Pulse::Clock::time_point now) const
{
    const std::scoped_lock lock{m_mutex};
    std::vector<std::string> names;
    for (const Pulse& pulse : m_pulses) {
        if (pulse.isStuck(now)) names.push_back(pulse.name());
    }
    return names;
}

} // namespace base
