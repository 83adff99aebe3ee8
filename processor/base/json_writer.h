// Builds exact JSON text: strings escaped, integers bare, no floating point.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace base {

/// Appends `text` as a quoted JSON string. Control characters (C0, DEL, C1) are escaped; bytes that
/// are not UTF-8 become U+FFFD, so the result is valid JSON whatever comes in.
void appendJsonString(std::string& out, std::string_view text);

/// One JSON document. Commas are its own affair; a name without value, a value without name in an
/// object or an end that does not match is a bug and CHECKed.
class JsonWriter
{
public:
    JsonWriter& beginObject();
    JsonWriter& endObject();
    JsonWriter& beginArray();
    JsonWriter& endArray();

    /// The name of the next value; only inside an object.
    JsonWriter& key(std::string_view name);
    JsonWriter& text(std::string_view value);
    JsonWriter& integer(std::int64_t value);
    JsonWriter& integer(std::uint64_t value);
    JsonWriter& boolean(bool value);
    JsonWriter& null();
    /// A number (seconds, ratio) its caller has written out, for instance "12.5" or "-3e2".
    JsonWriter& number(std::string_view written);
    /// A complete JSON document made elsewhere, put in as it is.
    JsonWriter& raw(std::string_view document);

    JsonWriter& field(std::string_view name, std::string_view value);
    JsonWriter& field(std::string_view name, const char* value)
    {
        return field(name, std::string_view{value});
    }
    template <std::integral T>
    JsonWriter& field(std::string_view name, T value)
    {
        key(name);
        if constexpr (std::same_as<T, bool>) {
            return boolean(value);
        } else if constexpr (std::signed_integral<T>) {
            return integer(static_cast<std::int64_t>(value));
        } else {
            return integer(static_cast<std::uint64_t>(value));
        }
    }

    /// The finished document; everything opened must be closed.
    [[nodiscard]] std::string take();

private:
    struct Level
    {
        bool isObject;
        bool isFirst;
    };

    void beforeValue();
    JsonWriter& open(char bracket, bool isObject);
    JsonWriter& close(char bracket, bool isObject);

    std::string m_text;
    std::vector<Level> m_levels;
    bool m_afterKey = false;
    bool m_done = false;
};

} // namespace base
