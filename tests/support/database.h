// A migrated database of one test: its address, and the few statements every test needs.
#pragma once

#include "processor/pg/connection.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace support {

/// Keeps one connection of the superuser for its own questions. A statement that fails ends the
/// test program with PostgreSQL's words.
class Database
{
public:
    explicit Database(std::string url);

    [[nodiscard]] const std::string& url() const { return m_url; } // of the superuser
    /// The same for a login, such as "support"; for what opens its connection itself.
    [[nodiscard]] std::string urlOf(const std::string& login) const;
    /// Another connection; `user` other than empty logs in as that role.
    [[nodiscard]] pg::Connection connect(const std::string& user = {}) const;

    /// Statements separated by semicolons.
    void run(const std::string& sql);
    /// The only cell of a query, as text; empty when it is null or there is no row.
    std::string value(const std::string& sql);
    /// All rows of a query: columns in parentheses as PostgreSQL writes a row, one row a line.
    std::string table(const std::string& sql);

    /// Users first…last.
    void addUsers(std::int64_t first, std::int64_t last);
    /// An opening balance, as an import would write it.
    void addBalance(std::int64_t user, std::string_view asset, std::string_view amount);
    /// Balance minus debt of an account; "0" when there is none. Trailing zeros are gone.
    std::string balance(std::int64_t user, std::string_view asset = "ETH");
    /// Accounts whose balance is not initial_balance plus the journal: "0" or something is wrong.
    std::string brokenSums();

private:
    std::string m_url;
    pg::Connection m_connection;
};

} // namespace support
