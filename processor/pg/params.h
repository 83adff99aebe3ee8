// Typed binary parameters of one statement, in the order $1, $2, ….
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pg {

using Bytes = std::vector<std::byte>;

/// Collects values; each call appends the next parameter. Copies what it is given.
class Params
{
public:
    Params& bigint(std::int64_t value);
    Params& bigint(std::optional<std::int64_t> value);
    Params& integer(std::int32_t value);
    Params& smallint(std::int16_t value);
    Params& boolean(bool value);
    Params& text(std::string_view value);
    Params& text(const std::string& value) { return text(std::string_view{value}); }
    Params& text(const char* value) { return text(std::string_view{value}); }
    Params& text(const std::optional<std::string>& value);
    Params& bytea(std::span<const std::byte> value);
    Params& bytea(const Bytes& value) { return bytea(std::span<const std::byte>{value}); }
    Params& bytea(const std::optional<Bytes>& value);
    /// A decimal as text (sent in text format, type numeric); digits are checked by the server.
    Params& numeric(std::string_view decimal);
    /// A JSON document as text, type jsonb.
    Params& jsonb(const std::optional<std::string>& document);

    Params& bigintArray(std::span<const std::int64_t> values);
    Params& bigintArray(std::span<const std::optional<std::int64_t>> values);
    Params& integerArray(std::span<const std::int32_t> values);
    Params& smallintArray(std::span<const std::int16_t> values);
    Params& booleanArray(std::span<const bool> values) = delete; // vector<bool> has none: use chars
    Params& booleanArray(std::span<const char> values);
    Params& textArray(std::span<const std::string> values);
    Params& textArray(std::span<const std::optional<std::string>> values);
    Params& byteaArray(std::span<const Bytes> values);
    Params& byteaArray(std::span<const std::optional<Bytes>> values);

    [[nodiscard]] int size() const { return static_cast<int>(m_values.size()); }

    struct Value
    {
        unsigned oid;
        int format; // 0 text, 1 binary
        std::optional<std::string> data; // null when empty
    };
    [[nodiscard]] const std::vector<Value>& values() const { return m_values; }

private:
    std::vector<Value> m_values;
};

} // namespace pg
