// Show: one run of the demonstration, from the first start to the last table.
#pragma once

#include "tests/demo/options.h"

namespace demo {

/// The exit status: 0 only if everything was right.
int show(const Options& options);

} // namespace demo
