// Event numbers as parameters: an array, and the bounds that prune partitions.
#pragma once

#include "processor/domain/ids.h"
#include "processor/pg/params.h"

#include <cstdint>
#include <vector>

namespace settle {

std::vector<std::int64_t> valuesOf(const std::vector<domain::EventNo>& numbers);

/// $1 the numbers, $2 the lowest, $3 the highest of them. At least one number.
pg::Params boundedNumbers(const std::vector<domain::EventNo>& numbers);

} // namespace settle
