// What `config sample` and `config show` print.
#pragma once

#include "processor/config/layers.h"

#include <string>

namespace config {

/// A TOML file with every option commented out, its default and what it means.
[[nodiscard]] std::string sampleFile();
/// The same table as JSON: an array of objects.
[[nodiscard]] std::string sampleJson();

/// The values in force as TOML with the layer each comes from, secrets masked.
[[nodiscard]] std::string shownValues(const Values& values);
[[nodiscard]] std::string shownValuesJson(const Values& values);

} // namespace config
