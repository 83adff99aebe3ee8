// The private PostgreSQL: how its cluster is made, started, recognised and reached.
#pragma once

#include "processor/base/result.h"
#include "processor/embedded/folder.h"
#include "processor/embedded/keeper.h"

#include <string>
#include <vector>

namespace embedded {

struct PostgresOptions
{
    bool fsync; // off for tests only: a crash of the machine then loses the cluster
    std::vector<std::string> settings; // "name=value", over ours
};

/// Makes the cluster on first use (superuser `postgres`, database `countersign`) – whole or not at
/// all – and says how to keep it running.
base::Result<KeeperPlan> planPostgres(const Folder& folder, const PostgresOptions& options);

/// A libpq URI of the superuser over the socket.
std::string postgresUrl(const Folder& folder, const std::string& database);

} // namespace embedded
