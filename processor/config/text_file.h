// Reads a small text file whole.
#pragma once

#include "processor/base/result.h"

#include <cstddef>
#include <string>

namespace config {

/// Far above any honest configuration or secret.
inline constexpr std::size_t kTextFileMax = 1'048'576;

/// The content as it is; Invalid, naming the file and the reason, when it cannot be read.
[[nodiscard]] base::Result<std::string> readTextFile(const std::string& path);

} // namespace config
