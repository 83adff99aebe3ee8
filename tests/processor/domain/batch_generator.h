// Random batches with a theme each, so that every rule meets itself and its neighbours often.
#pragma once

#include "processor/domain/decide.h"

#include <cstdint>

namespace model {

/** The same seed gives the same batch for ever. */
domain::Batch generateBatch(std::uint64_t seed);

} // namespace model
