// Logins: as whom the daemon talks to PostgreSQL.
#pragma once

#include "processor/pg/connection.h"

#include <string>

namespace processor {

inline constexpr const char* kProcessorRole = "countersign_processor";

/// Where the daemon's connections go. A superuser's URL steps down to countersign_processor when
/// the server lets it, because the planner's settings and the timeouts hang on that role; otherwise
/// the given login is used and a warning says so. Error: the server cannot be asked.
base::Result<pg::ConnectOptions> chooseLogin(const std::string& url);

/// As the URL says; for migrations and the stores' own affairs.
pg::ConnectOptions loginOf(const std::string& url);

} // namespace processor
