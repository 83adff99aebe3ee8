#include "processor/daemon/signals.h"

#include "processor/base/check.h"

#include <ctime>

namespace processor {

Signals::Signals()
{
    sigemptyset(&m_set);
    for (const int number : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&m_set, number);
    CHECK(pthread_sigmask(SIG_BLOCK, &m_set, nullptr) == 0);
    // A peer that hangs up is an error of its write, not the end of the process.
    CHECK(std::signal(SIGPIPE, SIG_IGN) != SIG_ERR);
}

std::optional<int> Signals::wait(std::chrono::milliseconds patience) const
{
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(patience);
    const timespec limit{
        .tv_sec = seconds.count(), .tv_nsec = std::chrono::nanoseconds{patience - seconds}.count()};
    const int number = sigtimedwait(&m_set, nullptr, &limit);
    if (number < 0) return std::nullopt; // EAGAIN, or EINTR by a debugger
    return number;
}

} // namespace processor
