// FlatObject: a JSON object of texts and nulls, the form of what we leave in Redis for ourselves.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace store {

using FlatObject = std::map<std::string, std::optional<std::string>, std::less<>>;

/// Strict: exactly one object, each name once, values texts or null, nothing around it but blanks.
/// Empty for anything else.
[[nodiscard]] std::optional<FlatObject> readFlatObject(std::string_view text);

} // namespace store
