// Schema: brings a database up to this program, or says why it cannot be used.
#pragma once

#include "processor/pg/connection.h"

#include <string>
#include <vector>

namespace processor {

/// Number of the newest migration this program carries.
[[nodiscard]] std::int64_t schemaNumber();

/// Names of the migrations that are missing ("0001_money_path"). Corrupt: a changed file or a newer
/// database.
base::Result<std::vector<std::string>> missingMigrations(pg::Connection& direct);

/// Roles (where the login may create them) and all that is missing; returns the names of what was
/// applied. Needs a direct connection.
base::Result<std::vector<std::string>> migrate(pg::Connection& direct);

/// The logins of an embedded stack (sql/demo_people.sql). Idempotent.
base::Status makeDemoPeople(pg::Connection& direct);

} // namespace processor
