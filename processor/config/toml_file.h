// Reads a TOML file into names and values.
#pragma once

#include "processor/config/layers.h"

#include <string>
#include <vector>

namespace config {

/// Every value of the file as text under its dotted name; an array of texts becomes "a,b". What is
/// no TOML, or a value that no option can have, is added to `complaints` with its line.
[[nodiscard]] SaidByName readTomlFile(
    const std::string& path, std::vector<std::string>& complaints);

} // namespace config
