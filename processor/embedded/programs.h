// Finds the server programs of the stores on this machine.
#pragma once

#include "processor/base/result.h"

#include <string>

namespace embedded {

struct PostgresPrograms
{
    int major; // 15, 16, …
    std::string initdb;
    std::string postgres;
};

/// The newest PostgreSQL (15 or later) below /usr/lib/postgresql, else the one in PATH. Data made
/// by a major version is readable to that version only: `major` other than 0 asks for exactly it.
base::Result<PostgresPrograms> findPostgres(int major);

/// redis-server (or the compatible valkey-server) in PATH or the usual folders.
base::Result<std::string> findRedisServer();

} // namespace embedded
