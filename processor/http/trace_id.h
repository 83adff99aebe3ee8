// The trace id of a request: the sender's if it is fit to be used, else a new one.
#pragma once

#include "processor/http/message.h"

#include <string>
#include <string_view>
#include <vector>

namespace http {

/// 1 to 128 printable ASCII characters: it goes into answers, log lines and every record.
[[nodiscard]] bool isTraceId(std::string_view text);

/// X-Request-ID, else X-Alchemy-Request-ID, else a new UUID; unfit ones count as absent.
[[nodiscard]] std::string traceIdOf(const std::vector<Header>& headers);

} // namespace http
