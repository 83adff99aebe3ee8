#include "processor/ingest/answer.h"

#include "processor/base/json_writer.h"
#include "processor/base/limits.h"
#include "processor/http/refusal.h"

#include <string>

namespace ingest {

http::Response answerOf(Verdict verdict, std::string_view traceId)
{
    base::JsonWriter json;
    json.beginObject();
    json.field("status", textOf(verdict)).field("trace_id", traceId);
    json.endObject();
    return http::Response{.status = 200, .body = json.take()};
}

http::Response answerOf(const Refused& refused, std::string_view traceId)
{
    const ReasonRow& row = rowOf(refused.reason);
    if (row.status == 200) return answerOf(Verdict::Quarantined, traceId);
    if (row.status == 503) {
        return http::unavailable(refused.detail, traceId, base::kIntakeRetryAfter);
    }
    return http::refusal(row.status, row.code, refused.detail, traceId);
}

http::Response rateLimited(std::chrono::seconds retryAfter, std::string_view traceId)
{
    http::Response response = http::refusal(rowOf(Reason::RateLimited).status,
        rowOf(Reason::RateLimited).code, "too many requests from this address", traceId);
    response.headers.push_back({"Retry-After", std::to_string(retryAfter.count())});
    return response;
}

} // namespace ingest
