// Names in Redis that people and programs outside rely on.
#pragma once

#include <array>
#include <string_view>

namespace dispatch {

inline constexpr std::string_view kStream = "payments:events";

inline constexpr std::string_view kBalanceUpdaters = "balance_updaters";
inline constexpr std::string_view kNotifiers = "notifiers";
inline constexpr std::string_view kAnalytics = "analytics";

/// Groups that exist in every installation; others are found on the stream.
inline constexpr std::array kGroups{kBalanceUpdaters, kNotifiers, kAnalytics};

} // namespace dispatch
