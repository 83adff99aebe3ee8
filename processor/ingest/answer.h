// Answers of intake in the native format.
#pragma once

#include "processor/http/message.h"
#include "processor/ingest/reason.h"
#include "processor/ingest/verdict.h"

#include <chrono>
#include <string_view>

namespace ingest {

/// 200 {"status":…,"trace_id":…}
[[nodiscard]] http::Response answerOf(Verdict verdict, std::string_view traceId);

/// The refusal with its status; a reason whose status is 200 is answered as `quarantined`, and
/// `unavailable` says when to come back.
[[nodiscard]] http::Response answerOf(const Refused& refused, std::string_view traceId);

/// 429 with Retry-After.
[[nodiscard]] http::Response rateLimited(std::chrono::seconds retryAfter, std::string_view traceId);

} // namespace ingest
