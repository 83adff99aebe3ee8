#include "processor/ingest/front.h"

#include "processor/base/check.h"
#include "processor/crypto/sha256.h"
#include "processor/ingest/answer.h"

#include <algorithm>
#include <utility>

namespace ingest {

Front::Front(const std::vector<Source>& sources, WaitingLine<Delivery>& line,
    RefusedSamples& samples, Counters& counters)
    : m_line{line}
    , m_samples{samples}
    , m_counters{counters}
{
    for (const Source& source : sources) {
        Keys keys{&source, {}};
        for (const base::Secret& secret : source.secrets) keys.active.emplace_back(secret);
        m_keys.push_back(std::move(keys));
    }
}

bool Front::isAuthentic(const Source& source, const http::Request& request) const
{
    const auto keys
        = std::ranges::find_if(m_keys, [&](const Keys& known) { return known.source == &source; });
    CHECK(keys != m_keys.end());
    // Two signatures, one of them right, is nothing an honest sender does.
    const auto given = std::ranges::count_if(request.headers, [&](const http::Header& header) {
        return http::equalIgnoringCase(header.name, source.signatureHeader);
    });
    const std::string_view signature
        = given == 1 ? *request.header(source.signatureHeader) : std::string_view{};
    // All of them, always: the time taken must not tell which key fits, or that one does.
    bool fits = false;
    for (const crypto::HmacSha256& key : keys->active) {
        fits = key.verifyHex(request.body, signature) || fits;
    }
    return fits;
}

void Front::admit(const Source& source, http::Request request, http::Responder responder)
{
    if (!isAuthentic(source, request)) {
        m_counters.count(Reason::InvalidSignature);
        responder.send(
            answerOf(Refused{Reason::InvalidSignature, "the signature does not fit the body"},
                request.traceId));
        if (m_samples.note(source, request)) m_line.wake();
        return;
    }
    const std::size_t octets = request.body.size();
    Delivery delivery{.source = &source,
        .content = readNativeBody(request.body),
        .body = std::move(request.body),
        .headers = std::move(request.headers),
        .traceId = std::move(request.traceId),
        .remote = std::move(request.remote),
        .responder = std::move(responder)};
    delivery.bodySha256 = crypto::sha256(delivery.body);
    if (m_line.offer(std::move(delivery), octets)) return;
    m_counters.count(Reason::Unavailable);
    http::Response full = answerOf(
        Refused{Reason::Unavailable, "more deliveries wait than can be held"}, delivery.traceId);
    delivery.responder.send(std::move(full));
}

} // namespace ingest
