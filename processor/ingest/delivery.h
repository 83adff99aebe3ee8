// Delivery: one authentic request on its way into the database, and whoever waits for its answer.
#pragma once

#include "processor/crypto/digest.h"
#include "processor/http/message.h"
#include "processor/http/responder.h"
#include "processor/ingest/native_body.h"
#include "processor/ingest/source.h"

#include <string>
#include <variant>
#include <vector>

namespace ingest {

struct Delivery
{
    const Source* source;
    std::variant<Claimed, Refused> content;
    std::string body;
    crypto::Digest bodySha256{};
    std::vector<http::Header> headers;
    std::string traceId;
    std::string remote;
    http::Responder responder;
};

} // namespace ingest
