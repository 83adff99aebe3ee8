// Judges what stands behind a command's name.
#pragma once

#include "processor/base/result.h"
#include "processor/config/command.h"

#include <string>

namespace config {

/// `assets add CODE CHAIN CONTRACT|native DECIMALS`: Invalid, naming the word, unless CODE is 1-32
/// capitals and digits, CHAIN a CAIP-2 name, CONTRACT 0x and 40 hexadecimal digits (taken in lower
/// case) or "native", and DECIMALS 0..18.
[[nodiscard]] base::Result<AssetsAddCommand> parseAsset(const std::string& code,
    const std::string& chain, const std::string& contract, const std::string& decimals);

} // namespace config
