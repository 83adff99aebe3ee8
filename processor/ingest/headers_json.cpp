#include "processor/ingest/headers_json.h"

#include "processor/base/json_writer.h"

#include <algorithm>
#include <set>

namespace ingest {
namespace {

constexpr std::size_t kOctetsMax = 2'048;

bool isSecret(std::string_view name, std::string_view signatureHeader)
{
    for (const std::string_view secret :
        {std::string_view{"authorization"}, std::string_view{"proxy-authorization"},
            std::string_view{"cookie"}, signatureHeader}) {
        if (http::equalIgnoringCase(name, secret)) return true;
    }
    return false;
}

} // namespace

std::string headersJson(const std::vector<http::Header>& headers, std::string_view signatureHeader)
{
    std::set<std::string> seen;
    std::size_t octets = 0;
    base::JsonWriter json;
    json.beginObject();
    for (const http::Header& header : headers) {
        if (isSecret(header.name, signatureHeader)) continue;
        octets += header.name.size() + header.value.size();
        if (octets > kOctetsMax) break;
        std::string name = header.name;
        std::ranges::transform(name, name.begin(),
            [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
        if (seen.insert(name).second) json.field(name, header.value);
    }
    json.endObject();
    return json.take();
}

} // namespace ingest
