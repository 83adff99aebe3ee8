// Earlier lives: processes of this host that ended without taking leave.
#pragma once

#include "processor/base/result.h"
#include "processor/pg/connection.h"
#include "processor/store/instances.h"

#include <string>

namespace processor {

/// Whether a settling process of this host ended unclean since the last start: killed, crashed, or
/// the machine with it. Takes such processes off the list, so that they are counted once. After it
/// a worker is careful, for an event may have been the cause.
base::Result<bool> endedUnclean(
    pg::Connection& connection, const store::InstanceIdentity& identity);

/// Whether the process that `instance` names runs on this host and boot.
[[nodiscard]] bool isRunning(const std::string& instance, const store::InstanceIdentity& identity);

} // namespace processor
