#include "processor/base/alert_queue.h"

#include "processor/base/check.h"
#include "processor/base/log.h"

#include <utility>

namespace base {

AlertQueue::AlertQueue(std::size_t most) : m_most{most}
{
    CHECK(most > 0);
}

bool AlertQueue::push(const Alert& alert)
{
    bool hasRoom = false;
    {
        const std::lock_guard lock{m_mutex};
        hasRoom = m_alerts.size() < m_most;
        if (hasRoom) {
            m_alerts.push_back(alert);
        }
    }
    if (hasRoom) {
        m_filled.notify_one();
    } else {
        logError("alert queue is full, one listener will not hear of it", {{"alert", alert.key}});
    }
    return hasRoom;
}

std::vector<Alert> AlertQueue::take(
    std::size_t most, std::chrono::nanoseconds patience, const std::stop_token& stop)
{
    std::unique_lock lock{m_mutex};
    m_filled.wait_for(lock, stop, patience, [this] { return !m_alerts.empty(); });
    std::vector<Alert> taken;
    while (!m_alerts.empty() && taken.size() < most) {
        taken.push_back(std::move(m_alerts.front()));
        m_alerts.pop_front();
    }
    return taken;
}

} // namespace base
