#include "processor/pg/rows.h"

#include "processor/base/check.h"
#include "processor/pg/wire_type.h"

#include <charconv>
#include <initializer_list>
#include <libpq-fe.h>
#include <limits>

namespace pg {
namespace {

constexpr std::int64_t kMicrosFrom1970To2000 = 946'684'800'000'000;

bool isOneOf(unsigned type, std::initializer_list<unsigned> types)
{
    for (const unsigned one : types) {
        if (type == one) return true;
    }
    return false;
}

// The octets of a value that must be there and have one of these types.
std::span<const std::byte> octets(
    const PGresult* raw, int row, int column, std::initializer_list<unsigned> types)
{
    CHECK(row >= 0 && row < PQntuples(raw));
    CHECK(column >= 0 && column < PQnfields(raw));
    CHECK(isOneOf(PQftype(raw, column), types));
    CHECK(PQfformat(raw, column) == wire::kBinaryFormat);
    CHECK(PQgetisnull(raw, row, column) == 0); // a nullable column is read by an …OrNull getter
    return {reinterpret_cast<const std::byte*>(PQgetvalue(raw, row, column)),
        static_cast<std::size_t>(PQgetlength(raw, row, column))};
}

// Two's complement, big-endian, 2, 4 or 8 octets.
std::int64_t signedBigEndian(std::span<const std::byte> bytes)
{
    CHECK(bytes.size() == 2 || bytes.size() == 4 || bytes.size() == 8);
    const bool negative = (std::to_integer<unsigned>(bytes[0]) & 0x80U) != 0;
    std::uint64_t bits = negative ? std::numeric_limits<std::uint64_t>::max() : 0;
    for (const std::byte one : bytes) bits = (bits << 8) | std::to_integer<std::uint64_t>(one);
    return static_cast<std::int64_t>(bits);
}

} // namespace

void ClearResult::operator()(pg_result* raw) const noexcept
{
    PQclear(raw);
}

int Rows::size() const
{
    return PQntuples(m_raw.get());
}

std::int64_t Rows::affected() const
{
    const std::string_view digits = PQcmdTuples(m_raw.get());
    std::int64_t count = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), count);
    return count;
}

std::string_view Rows::commandTag() const
{
    return PQcmdStatus(m_raw.get());
}

bool Rows::isNull(int row, int column) const
{
    CHECK(row >= 0 && row < PQntuples(m_raw.get()));
    CHECK(column >= 0 && column < PQnfields(m_raw.get()));
    return PQgetisnull(m_raw.get(), row, column) != 0;
}

std::int64_t Rows::bigint(int row, int column) const
{
    return signedBigEndian(
        octets(m_raw.get(), row, column, {wire::kInt8, wire::kInt4, wire::kInt2}));
}

bool Rows::boolean(int row, int column) const
{
    const auto bytes = octets(m_raw.get(), row, column, {wire::kBool});
    CHECK(bytes.size() == 1);
    return bytes[0] != std::byte{0};
}

std::string_view Rows::text(int row, int column) const
{
    const auto bytes = octets(m_raw.get(), row, column,
        {wire::kText, wire::kVarchar, wire::kName, wire::kBpchar, wire::kChar, wire::kJson});
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::span<const std::byte> Rows::bytea(int row, int column) const
{
    return octets(m_raw.get(), row, column, {wire::kBytea});
}

std::int64_t Rows::timestampMicros(int row, int column) const
{
    using Limits = std::numeric_limits<std::int64_t>;
    const std::int64_t since2000
        = signedBigEndian(octets(m_raw.get(), row, column, {wire::kTimestamptz}));
    // The ends of the range stand for ±infinity and stay what they are.
    if (since2000 == Limits::min() || since2000 > Limits::max() - kMicrosFrom1970To2000) {
        return since2000;
    }
    return since2000 + kMicrosFrom1970To2000;
}

std::optional<std::int64_t> Rows::bigintOrNull(int row, int column) const
{
    if (isNull(row, column)) return std::nullopt;
    return bigint(row, column);
}

std::optional<std::string> Rows::textOrNull(int row, int column) const
{
    if (isNull(row, column)) return std::nullopt;
    return std::string{text(row, column)};
}

} // namespace pg
