// The retry rule: how long an attempt may be put off, and when there are no more.
#pragma once

#include "processor/base/check.h"
#include "processor/base/limits.h"

#include <algorithm>
#include <chrono>
#include <optional>

namespace domain {

inline constexpr std::chrono::seconds kRetryCeilingMax{60};

/**
 * After `attemptsMade` failed attempts (1 or more): the ceiling of the next wait, min(60 s, 2^n s),
 * below which the database throws its dice – or nothing, which means exhausted: the event fails.
 */
constexpr std::optional<std::chrono::seconds> retryCeiling(int attemptsMade)
{
    CHECK(attemptsMade >= 1);
    if (attemptsMade > base::kRetriesMax) {
        return std::nullopt;
    }
    return std::min(kRetryCeilingMax, std::chrono::seconds{1LL << attemptsMade});
}

static_assert(base::kRetriesMax < 32, "the shift above stays in range");

} // namespace domain
