#include "processor/pg/params.h"

#include "processor/base/check.h"
#include "processor/pg/wire_type.h"

#include <limits>

namespace pg {
namespace {

template <class Integer>
void appendBigEndian(std::string& out, Integer value)
{
    using Unsigned = std::make_unsigned_t<Integer>;
    const auto bits = static_cast<Unsigned>(value);
    for (int shift = static_cast<int>(sizeof(Integer)) * 8 - 8; shift >= 0; shift -= 8) {
        out.push_back(static_cast<char>(static_cast<unsigned char>(bits >> shift)));
    }
}

template <class Integer>
std::string bigEndian(Integer value)
{
    std::string out;
    appendBigEndian(out, value);
    return out;
}

std::string_view asChars(std::span<const std::byte> bytes)
{
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::int32_t lengthOf(std::size_t octets)
{
    CHECK(octets <= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()));
    return static_cast<std::int32_t>(octets);
}

void appendElement(std::string& out, std::string_view octets)
{
    appendBigEndian(out, lengthOf(octets.size()));
    out.append(octets);
}

void appendElement(std::string& out, std::int64_t value)
{
    appendBigEndian(out, std::int32_t{sizeof value});
    appendBigEndian(out, value);
}

void appendElement(std::string& out, std::int32_t value)
{
    appendBigEndian(out, std::int32_t{sizeof value});
    appendBigEndian(out, value);
}

void appendElement(std::string& out, std::int16_t value)
{
    appendBigEndian(out, std::int32_t{sizeof value});
    appendBigEndian(out, value);
}

void appendElement(std::string& out, char truth)
{
    appendBigEndian(out, std::int32_t{1});
    out.push_back(truth == 0 ? '\0' : '\1');
}

void appendElement(std::string& out, const Bytes& value)
{
    appendElement(out, asChars(value));
}

template <class T>
void appendElement(std::string& out, const std::optional<T>& value)
{
    if (value) {
        appendElement(out, *value);
    } else {
        appendBigEndian(out, std::int32_t{-1});
    }
}

template <class T>
constexpr bool isNull(const T&)
{
    return false;
}

template <class T>
constexpr bool isNull(const std::optional<T>& value)
{
    return !value.has_value();
}

// array_recv in src/backend/utils/adt/arrayfuncs.c: dimensions, has-null flag, element type, then
// per dimension length and lower bound, then each element as length (-1: null) and octets. An empty
// array has no dimension.
template <class T>
std::string encodeArray(unsigned elementOid, std::span<const T> values)
{
    bool hasNull = false;
    for (const T& value : values) hasNull = hasNull || isNull(value);

    std::string out;
    appendBigEndian(out, std::int32_t{values.empty() ? 0 : 1});
    appendBigEndian(out, std::int32_t{hasNull ? 1 : 0});
    appendBigEndian(out, elementOid);
    if (values.empty()) return out;
    appendBigEndian(out, lengthOf(values.size()));
    appendBigEndian(out, std::int32_t{1});
    for (const T& value : values) appendElement(out, value);
    return out;
}

} // namespace

Params& Params::bigint(std::int64_t value)
{
    m_values.push_back({wire::kInt8, wire::kBinaryFormat, bigEndian(value)});
    return *this;
}

Params& Params::bigint(std::optional<std::int64_t> value)
{
    if (value) return bigint(*value);
    m_values.push_back({wire::kInt8, wire::kBinaryFormat, std::nullopt});
    return *this;
}

Params& Params::integer(std::int32_t value)
{
    m_values.push_back({wire::kInt4, wire::kBinaryFormat, bigEndian(value)});
    return *this;
}

Params& Params::smallint(std::int16_t value)
{
    m_values.push_back({wire::kInt2, wire::kBinaryFormat, bigEndian(value)});
    return *this;
}

Params& Params::boolean(bool value)
{
    m_values.push_back({wire::kBool, wire::kBinaryFormat, std::string(1, value ? '\1' : '\0')});
    return *this;
}

Params& Params::text(std::string_view value)
{
    m_values.push_back({wire::kText, wire::kBinaryFormat, std::string{value}});
    return *this;
}

Params& Params::text(const std::optional<std::string>& value)
{
    m_values.push_back({wire::kText, wire::kBinaryFormat, value});
    return *this;
}

Params& Params::bytea(std::span<const std::byte> value)
{
    m_values.push_back({wire::kBytea, wire::kBinaryFormat, std::string{asChars(value)}});
    return *this;
}

Params& Params::bytea(const std::optional<Bytes>& value)
{
    if (value) return bytea(*value);
    m_values.push_back({wire::kBytea, wire::kBinaryFormat, std::nullopt});
    return *this;
}

Params& Params::numeric(std::string_view decimal)
{
    // Text format ends at the first NUL, which would make "1\0x" a valid number.
    CHECK(decimal.find('\0') == std::string_view::npos);
    m_values.push_back({wire::kNumeric, wire::kTextFormat, std::string{decimal}});
    return *this;
}

Params& Params::jsonb(const std::optional<std::string>& document)
{
    CHECK(!document || document->find('\0') == std::string::npos);
    m_values.push_back({wire::kJsonb, wire::kTextFormat, document});
    return *this;
}

Params& Params::bigintArray(std::span<const std::int64_t> values)
{
    m_values.push_back({wire::kInt8Array, wire::kBinaryFormat, encodeArray(wire::kInt8, values)});
    return *this;
}

Params& Params::bigintArray(std::span<const std::optional<std::int64_t>> values)
{
    m_values.push_back({wire::kInt8Array, wire::kBinaryFormat, encodeArray(wire::kInt8, values)});
    return *this;
}

Params& Params::integerArray(std::span<const std::int32_t> values)
{
    m_values.push_back({wire::kInt4Array, wire::kBinaryFormat, encodeArray(wire::kInt4, values)});
    return *this;
}

Params& Params::smallintArray(std::span<const std::int16_t> values)
{
    m_values.push_back({wire::kInt2Array, wire::kBinaryFormat, encodeArray(wire::kInt2, values)});
    return *this;
}

Params& Params::booleanArray(std::span<const char> values)
{
    m_values.push_back({wire::kBoolArray, wire::kBinaryFormat, encodeArray(wire::kBool, values)});
    return *this;
}

Params& Params::textArray(std::span<const std::string> values)
{
    m_values.push_back({wire::kTextArray, wire::kBinaryFormat, encodeArray(wire::kText, values)});
    return *this;
}

Params& Params::textArray(std::span<const std::optional<std::string>> values)
{
    m_values.push_back({wire::kTextArray, wire::kBinaryFormat, encodeArray(wire::kText, values)});
    return *this;
}

Params& Params::byteaArray(std::span<const Bytes> values)
{
    m_values.push_back({wire::kByteaArray, wire::kBinaryFormat, encodeArray(wire::kBytea, values)});
    return *this;
}

Params& Params::byteaArray(std::span<const std::optional<Bytes>> values)
{
    m_values.push_back({wire::kByteaArray, wire::kBinaryFormat, encodeArray(wire::kBytea, values)});
    return *this;
}

} // namespace pg
