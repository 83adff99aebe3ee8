// Interrupt: Ctrl-C as something one may look at, so that the programs started here end in order.
#pragma once

#include <chrono>
#include <csignal>
#include <ctime>

namespace demo {

/// Made before the first thread and the first process. Once SIGINT or SIGTERM has come it stays.
class Interrupt
{
public:
    Interrupt()
    {
        sigemptyset(&m_set);
        for (const int number : {SIGINT, SIGTERM}) sigaddset(&m_set, number);
        pthread_sigmask(SIG_BLOCK, &m_set, nullptr);
        std::signal(SIGPIPE, SIG_IGN);
    }

    /// True when it has come, or comes within `patience`.
    [[nodiscard]] bool hasCome(std::chrono::nanoseconds patience = {})
    {
        const timespec limit{.tv_sec = 0, .tv_nsec = patience.count()};
        m_hasCome = m_hasCome || sigtimedwait(&m_set, nullptr, &limit) > 0;
        return m_hasCome;
    }

private:
    sigset_t m_set{};
    bool m_hasCome = false;
};

} // namespace demo
