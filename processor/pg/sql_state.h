// What an SQLSTATE asks the caller to do next; the only place that knows the codes.
#pragma once

#include "processor/base/result.h"

#include <string_view>

namespace pg {

/// The kind of the first prefix in the table that fits; Corrupt for everything unforeseen.
base::ErrorKind kindOfSqlState(std::string_view sqlState);

// Codes given to what libpq itself reports, which carries none.
inline constexpr const char* kNotConnected = "08001";
inline constexpr const char* kConnectionLost = "08006";
inline constexpr const char* kQueryCanceled = "57014";

} // namespace pg
