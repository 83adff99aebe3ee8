// Waiting for a condition with a deadline: the only place in the tests that sleeps.
#pragma once

#include <chrono>
#include <thread>

namespace support {

/// True as soon as `condition()` is; false when it was not until the deadline. Asked every few
/// milliseconds and once more at the deadline itself.
template <class Condition>
[[nodiscard]] bool waitUntil(Condition&& condition, std::chrono::milliseconds limit)
{
    const auto deadline = std::chrono::steady_clock::now() + limit;
    while (!condition()) {
        if (std::chrono::steady_clock::now() >= deadline) return condition();
        std::this_thread::sleep_for(std::chrono::milliseconds{3});
    }
    return true;
}

/// For time that is itself what a test is about: how long an outage lasts, how often a crowd acts.
/// To wait for something to happen, wait for it.
inline void letPass(std::chrono::milliseconds duration)
{
    std::this_thread::sleep_for(duration);
}

} // namespace support
