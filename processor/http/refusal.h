// The JSON form of a refusal, the same whoever refuses.
#pragma once

#include "processor/http/message.h"

#include <chrono>
#include <string_view>

namespace http {

/// {"error":CODE,"detail":TEXT,"trace_id":…}
[[nodiscard]] Response refusal(
    int status, std::string_view code, std::string_view detail, std::string_view traceId);

/// 503 `unavailable` with Retry-After: what may heal.
[[nodiscard]] Response unavailable(
    std::string_view detail, std::string_view traceId, std::chrono::seconds retryAfter);

} // namespace http
