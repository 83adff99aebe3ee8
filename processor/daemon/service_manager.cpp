#include "processor/daemon/service_manager.h"

#include <cstdint>
#include <systemd/sd-daemon.h>

namespace processor {

ServiceManager::ServiceManager()
{
    std::uint64_t limit = 0;
    if (sd_watchdog_enabled(0, &limit) > 0) {
        m_interval = std::chrono::microseconds{static_cast<std::int64_t>(limit / 2)};
    }
}

void ServiceManager::ready()
{
    sd_notify(0, "READY=1");
}

void ServiceManager::stopping()
{
    sd_notify(0, "STOPPING=1");
}

void ServiceManager::tend(bool isHealthy)
{
    const auto now = std::chrono::steady_clock::now();
    if (m_interval.count() == 0 || !isHealthy || now < m_next) return;
    m_next = now + m_interval;
    sd_notify(0, "WATCHDOG=1");
}

} // namespace processor
