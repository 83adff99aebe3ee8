// Source: one configured sender of webhooks, with its path, format and secrets.
#pragma once

#include "processor/base/secret.h"

#include <string>
#include <vector>

namespace ingest {

enum class Adapter { Native };

struct Source
{
    std::string name; // POST /webhook/<name>
    Adapter adapter = Adapter::Native;
    std::string signatureHeader = "X-Alchemy-Signature"; // hex HMAC-SHA256 of the raw body
    std::vector<base::Secret> secrets = {}; // all active ones: any of them may have signed
};

} // namespace ingest
