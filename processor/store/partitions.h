// Partitions are made ahead of the numbers that will need them.
#pragma once

#include "processor/base/result.h"
#include "processor/pg/transaction.h"

#include <cstdint>

namespace store {

/// Makes what is missing until two whole partitions lie ahead; the number made. There after the
/// transaction's commit. Any number of callers at once is fine.
base::Result<std::int64_t> makePartitions(pg::Transaction& transaction);

} // namespace store
