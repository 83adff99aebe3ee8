// Signals: SIGTERM, SIGINT and SIGHUP as values that one thread waits for; SIGPIPE is ignored.
#pragma once

#include <chrono>
#include <csignal>
#include <optional>

namespace processor {

/// Made before the first thread: the blocked signals are inherited, so that none of them ever
/// interrupts a thread in the middle of its work.
class Signals
{
public:
    Signals();

    /// The next signal, or empty when none came within `patience`.
    [[nodiscard]] std::optional<int> wait(std::chrono::milliseconds patience) const;

private:
    sigset_t m_set{};
};

} // namespace processor
