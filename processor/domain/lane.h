// Lanes: the fixed shares of all users; whoever holds a lane's lock may settle its accounts.
#pragma once

#include "processor/base/check.h"
#include "processor/base/limits.h"
#include "processor/domain/ids.h"

namespace domain {

using Lane = Id<struct LaneTag>; // 0 .. kLaneCount - 1

inline constexpr int kLaneCount = base::kLanes;

/** The user's lane. Stored with each work row and checked there, so it can never change. */
constexpr Lane laneOf(UserId user)
{
    CHECK(user.value() > 0);
    return Lane{user.value() % kLaneCount};
}

} // namespace domain
