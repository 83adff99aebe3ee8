// Progress: whether each service loop still goes round, for /healthz and the service manager.
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <mutex>
#include <string>
#include <vector>

namespace base {

/// One loop's sign of life. The loop calls beat() once a round – also a round that failed because a
/// store is away, for a restart of ours would not bring it back; whoever hangs does not beat.
class Pulse
{
public:
    using Clock = std::chrono::steady_clock;

    Pulse(std::string name, std::chrono::milliseconds patience);
    void beat(Clock::time_point now = Clock::now()) noexcept;

    [[nodiscard]] const std::string& name() const { return m_name; }
    [[nodiscard]] bool isStuck(Clock::time_point now) const;
    [[nodiscard]] std::chrono::milliseconds age(Clock::time_point now) const;

private:
    const std::string m_name;
    const std::chrono::milliseconds m_patience;
    std::atomic<Clock::rep> m_last;
};

/// The pulses of one process. Thread-safe; a Pulse stays where it is as long as its Progress.
class Progress
{
public:
    /// `patience` is the longest honest round: the longest wait plus the longest batch.
    Pulse& add(std::string name, std::chrono::milliseconds patience);

    /// Names of the loops that have not gone round within their patience; empty is healthy.
    [[nodiscard]] std::vector<std::string> stuck(
        Pulse::Clock::time_point now = Pulse::Clock::now()) const;

private:
    mutable std::mutex m_mutex;
    std::deque<Pulse> m_pulses;
};

} // namespace base
