#include "processor/base/wakeup.h"

#include <utility>

namespace base {

void Wakeup::notify()
{
    {
        const std::lock_guard lock{m_mutex};
        m_isNotified = true;
    }
    m_changed.notify_all();
}

bool Wakeup::waitFor(std::chrono::nanoseconds most, const std::stop_token& stop)
{
    std::unique_lock lock{m_mutex};
    m_changed.wait_for(lock, stop, most, [this] { return m_isNotified; });
    return std::exchange(m_isNotified, false);
}

} // namespace base
