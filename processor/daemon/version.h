// The version of this program, numbers and dots.
#pragma once

namespace processor {

inline constexpr const char* kVersion = COUNTERSIGN_VERSION;

} // namespace processor
