// How long the loops here pause after a failure: the first pause, doubled up to the longest.
#pragma once

#include <chrono>

namespace dispatch {

inline constexpr std::chrono::milliseconds kBackoffFirst{50};
inline constexpr std::chrono::milliseconds kBackoffMost{1'000};

} // namespace dispatch
