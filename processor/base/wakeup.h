// An in-process signal that shortens a wait; polling stays the truth.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>

namespace base {

/// One waiter, any number of notifiers. A notify() between two waits is kept, so it is never lost;
/// several of them before the next wait count as one.
class Wakeup
{
public:
    void notify();

    /// Waits until notified, stopped or `most` has passed. True when notified (and the notification
    /// is then used up), also if stop was requested at the same time.
    [[nodiscard]] bool waitFor(std::chrono::nanoseconds most, const std::stop_token& stop);

private:
    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    bool m_isNotified = false;
};

} // namespace base
