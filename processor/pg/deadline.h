// Deadline: an absolute moment of the steady clock, and waits on a socket that end there.
#pragma once

#include <chrono>
#include <string>

namespace pg {

using Deadline = std::chrono::steady_clock::time_point;

inline constexpr Deadline kNoDeadline = Deadline::max();

/// Zero or less means no limit.
Deadline deadlineAfter(std::chrono::milliseconds limit);

/// A time as PostgreSQL's settings take it.
std::string asMillis(std::chrono::milliseconds limit);

enum class Ready { Yes, TimedOut };

/// Waits until one of the poll() `events` (or an error or hang-up, which the next read reports)
/// is there.
Ready waitFor(int descriptor, short events, Deadline deadline);

} // namespace pg
