#include "processor/ingest/refused_samples.h"

#include "processor/base/json_writer.h"
#include "processor/base/limits.h"
#include "processor/crypto/sha256.h"
#include "processor/ingest/headers_json.h"

#include <utility>

namespace ingest {

RefusedSamples::RefusedSamples(Clock clock) : m_clock{std::move(clock)} {}

bool RefusedSamples::note(const Source& source, const http::Request& request)
{
    const auto minute
        = std::chrono::floor<std::chrono::minutes>(m_clock()).time_since_epoch().count();
    const std::scoped_lock lock{m_mutex};
    if (minute != m_minute) closeMinute(minute);
    m_lastSource = source.name;
    if (static_cast<std::size_t>(++m_count) > base::kRefusedSamplesMax) return false;
    m_rows.push_back(
        {source.name, crypto::sha256(request.body), request.body.substr(0, base::kRefusedBodyMax),
            headersJson(request.headers, source.signatureHeader), request.traceId, request.remote});
    return true;
}

std::vector<RefusedRow> RefusedSamples::take()
{
    const auto minute
        = std::chrono::floor<std::chrono::minutes>(m_clock()).time_since_epoch().count();
    const std::scoped_lock lock{m_mutex};
    if (minute != m_minute) closeMinute(minute);
    return std::exchange(m_rows, {});
}

void RefusedSamples::closeMinute(std::int64_t minute)
{
    // Rows pile up only while the database is away: two minutes of them are enough to know by.
    if (m_rows.size() > 2 * base::kRefusedSamplesMax) m_rows.clear();
    if (static_cast<std::size_t>(m_count) > base::kRefusedSamplesMax) {
        base::JsonWriter json;
        json.beginObject();
        json.field("refused", m_count).field("minute", m_minute * 60);
        json.endObject();
        m_rows.push_back(
            {m_lastSource, crypto::sha256(std::string_view{}), {}, json.take(), "no-trace", {}});
    }
    m_minute = minute;
    m_count = 0;
}

} // namespace ingest
