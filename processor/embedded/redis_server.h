// The private Redis: how it is started, recognised and reached.
#pragma once

#include "processor/base/result.h"
#include "processor/embedded/folder.h"
#include "processor/embedded/keeper.h"

#include <string>
#include <vector>

namespace embedded {

/// Says how to keep it running: socket only, append-only file synced every second, no eviction.
/// `settings` are "name value" pairs over ours.
base::Result<KeeperPlan> planRedis(const Folder& folder, const std::vector<std::string>& settings);

/// The path of its socket.
std::string redisSocket(const Folder& folder);

} // namespace embedded
