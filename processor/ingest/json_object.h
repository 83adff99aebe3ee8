// JsonObject: a JSON object read strictly, its values as the tokens that were sent.
#pragma once

#include "processor/base/result.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ingest {

struct JsonValue
{
    enum class Kind { Null, Boolean, Number, Text, Array, Object };
    Kind kind = Kind::Null;
    std::string text = {}; // Text: decoded; Number: the exact token
    std::vector<std::string> numbers = {}; // Array: the tokens of its numbers
    bool holdsOnlyNumbers = true; // Array
};

class JsonObject
{
public:
    /// Refuses with a sentence (Invalid): anything but one object with blanks around it, a name
    /// that occurs twice (at any depth), nesting beyond kDepthMax, NUL in a text, a surrogate
    /// without its partner, bytes that are not UTF-8. Readers differ in these, and differing
    /// readers lose money.
    static base::Result<JsonObject> read(std::string_view octets);

    /// The member of that name, or null.
    [[nodiscard]] const JsonValue* find(std::string_view name) const;

    static constexpr std::size_t kDepthMax = 8;

private:
    friend struct JsonCollector;
    std::vector<std::pair<std::string, JsonValue>> m_members;
};

} // namespace ingest
