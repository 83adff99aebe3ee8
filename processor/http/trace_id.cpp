#include "processor/http/trace_id.h"

#include "processor/base/limits.h"
#include "processor/base/uuid.h"

#include <algorithm>

namespace http {

bool isTraceId(std::string_view text)
{
    return !text.empty() && text.size() <= base::kTraceIdMax
        && std::ranges::all_of(text, [](char c) { return c >= 0x20 && c <= 0x7e; });
}

std::string traceIdOf(const std::vector<Header>& headers)
{
    for (const std::string_view name : {"X-Request-ID", "X-Alchemy-Request-ID"}) {
        for (const Header& header : headers) {
            if (equalIgnoringCase(header.name, name) && isTraceId(header.value)) {
                return header.value;
            }
        }
    }
    return base::randomUuid();
}

} // namespace http
