// What a value of each type may be.
#pragma once

#include "processor/config/options.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace config {

/// Why `text` cannot be a value of that option, or nothing. Never repeats what may be secret.
[[nodiscard]] std::optional<std::string> complaintAbout(
    const Option& option, std::string_view text);

/// A whole decimal number and nothing else.
[[nodiscard]] std::optional<std::int64_t> parseInteger(std::string_view text);

/// "04:30" as minutes since midnight.
[[nodiscard]] std::optional<std::chrono::minutes> parseTimeOfDay(std::string_view text);

/// True for an address (HOST:PORT) that only this machine can reach.
[[nodiscard]] bool isLoopback(std::string_view address);

} // namespace config
