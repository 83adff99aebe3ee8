// Result rows of one statement, in binary format, with typed getters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

struct pg_result;

namespace pg {

struct ClearResult
{
    void operator()(pg_result* raw) const noexcept;
};

/// Owns one PGresult. Getters CHECK that row and column exist and that the column's type fits:
/// a wrong type is a bug of ours, caught by the test that prepares every statement.
/// numeric columns are cast to text in SQL; timestamptz reads as microseconds since 1970 UTC.
class Rows
{
public:
    explicit Rows(pg_result* raw) : m_raw{raw} {}

    [[nodiscard]] int size() const;
    [[nodiscard]] bool empty() const { return size() == 0; }
    /// Rows touched by INSERT, UPDATE, DELETE; rows returned by SELECT.
    [[nodiscard]] std::int64_t affected() const;
    /// What the server says it did, such as "INSERT 0 1"; a COMMIT may answer "ROLLBACK".
    [[nodiscard]] std::string_view commandTag() const;

    [[nodiscard]] bool isNull(int row, int column) const;
    [[nodiscard]] std::int64_t bigint(int row, int column) const; // int2, int4, int8
    [[nodiscard]] bool boolean(int row, int column) const;
    /// text, varchar, char, name, json; anything else is cast to text in SQL.
    [[nodiscard]] std::string_view text(int row, int column) const;
    [[nodiscard]] std::span<const std::byte> bytea(int row, int column) const;
    [[nodiscard]] std::int64_t timestampMicros(int row, int column) const;

    [[nodiscard]] std::optional<std::int64_t> bigintOrNull(int row, int column) const;
    [[nodiscard]] std::optional<std::string> textOrNull(int row, int column) const;

private:
    std::unique_ptr<pg_result, ClearResult> m_raw;
};

} // namespace pg
