// Front: from a request to a delivery – signature first, then the body.
#pragma once

#include "processor/crypto/hmac.h"
#include "processor/http/responder.h"
#include "processor/ingest/counters.h"
#include "processor/ingest/delivery.h"
#include "processor/ingest/refused_samples.h"
#include "processor/ingest/waiting_line.h"

#include <string_view>
#include <vector>

namespace ingest {

/// Needs no I/O. Not shared between threads, because keys keep their hash states; what it writes to
/// is shared.
class Front
{
public:
    Front(const std::vector<Source>& sources, WaitingLine<Delivery>& line, RefusedSamples& samples,
        Counters& counters);

    /// Answers 401 or 503 at once; everything authentic goes into the line.
    void admit(const Source& source, http::Request request, http::Responder responder);

private:
    struct Keys
    {
        const Source* source;
        std::vector<crypto::HmacSha256> active;
    };
    [[nodiscard]] bool isAuthentic(const Source& source, const http::Request& request) const;

    std::vector<Keys> m_keys;
    WaitingLine<Delivery>& m_line;
    RefusedSamples& m_samples;
    Counters& m_counters;
};

} // namespace ingest
