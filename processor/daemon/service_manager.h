// ServiceManager: what systemd is told; does nothing where nobody listens.
#pragma once

#include <chrono>
#include <string>

namespace processor {

class ServiceManager
{
public:
    ServiceManager();

    void ready();
    void stopping();
    /// To be called often; sends a sign of life when one is due, and only if `isHealthy`:
    /// a process whose loops hang is to be killed and started anew.
    void tend(bool isHealthy);

private:
    std::chrono::microseconds m_interval{0}; // zero: no watchdog is wanted
    std::chrono::steady_clock::time_point m_next{};
};

} // namespace processor
