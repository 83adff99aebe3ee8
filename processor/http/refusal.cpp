#include "processor/http/refusal.h"

#include "processor/base/json_writer.h"

#include <string>

namespace http {

Response refusal(
    int status, std::string_view code, std::string_view detail, std::string_view traceId)
{
    base::JsonWriter json;
    json.beginObject();
    json.field("error", code).field("detail", detail).field("trace_id", traceId);
    json.endObject();
    return Response{.status = status, .body = json.take()};
}

Response unavailable(
    std::string_view detail, std::string_view traceId, std::chrono::seconds retryAfter)
{
    Response response = refusal(503, "unavailable", detail, traceId);
    response.headers.push_back({"Retry-After", std::to_string(retryAfter.count())});
    return response;
}

} // namespace http
