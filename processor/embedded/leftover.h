// What an earlier life of a store left behind: processes that still end, and stale pid files.
#pragma once

#include "processor/base/result.h"

#include <chrono>
#include <string>
#include <sys/types.h>

namespace embedded {

/// The number in the first line of a pid file; 0 when there is none.
pid_t recordedPid(const std::string& pidFile);

/// True when `pid` runs (a zombie does not) and its command line contains `mark`, a path that only
/// our store's does. A recycled number of somebody else's process is therefore not ours.
bool isOurs(pid_t pid, const std::string& mark);

/// Signals the process of `pidFile`, if it is ours, until it is gone; Unavailable at the deadline.
base::Status awaitEnd(const std::string& pidFile, const std::string& mark, int stopSignal,
    std::chrono::milliseconds deadline);

} // namespace embedded
