// Rules that tie several options together, for the command at hand.
#pragma once

#include "processor/config/layers.h"

#include <string>
#include <vector>

namespace config {

/// Fills in defaults that depend on other options and adds what is missing, contradictory or wrong
/// to `complaints`. Looks at the options of the commands in `bits` only; `isComplete` is false for
/// `config show`, which shows also what could not serve.
void applyRules(
    Values& values, unsigned bits, bool isComplete, std::vector<std::string>& complaints);

} // namespace config
