// Batches and decisions as text a person can compare: one line per event, account and merchant.
#pragma once

#include "processor/domain/decide.h"

#include <string>

namespace model {

/**
 * `3 confirmed claim 0 | e3 deposit 1/ETH +50 = 150 v2 | credited | payment.confirmed`, then
 * `1/ETH 150 debt 0 v2` and `shop/ETH +50`. What stands out of order is shown as left over.
 */
std::string describe(const domain::Decision& decision);

/** All that a failed comparison needs to be understood. */
std::string describe(const domain::Batch& batch);

} // namespace model
