// The headers of a delivery as they are kept beside its body: bounded, and without credentials.
#pragma once

#include "processor/http/message.h"

#include <string>
#include <string_view>
#include <vector>

namespace ingest {

/// A JSON object, names in lower case, the first of each name. Authorization, cookies and the
/// signature itself stay out; so does what would exceed 2 KB in all.
[[nodiscard]] std::string headersJson(
    const std::vector<http::Header>& headers, std::string_view signatureHeader);

} // namespace ingest
