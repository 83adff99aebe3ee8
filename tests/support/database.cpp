#include "tests/support/database.h"

#include "tests/support/require.h"

namespace support {

Database::Database(std::string url) : m_url{std::move(url)}, m_connection{connect()} {}

std::string Database::urlOf(const std::string& login) const
{
    constexpr std::string_view kSuperuser = "postgres@";
    std::string url = m_url;
    return url.replace(url.find(kSuperuser), kSuperuser.size(), login + "@");
}

pg::Connection Database::connect(const std::string& user) const
{
    return require(pg::Connection::open({.url = m_url,
        .applicationName = "test",
        .connectTimeout = std::chrono::seconds{10},
        .statementTimeout = std::chrono::seconds{60},
        .user = user}));
}

void Database::run(const std::string& sql)
{
    require(m_connection.runScript(sql));
}

std::string Database::value(const std::string& sql)
{
    const auto wrapped = "SELECT (" + sql + ")::text";
    const auto rows = require(m_connection.run({"test_value", wrapped.c_str()}));
    return rows.textOrNull(0, 0).value_or("");
}

std::string Database::table(const std::string& sql)
{
    return value("SELECT string_agg(rows::text, E'\\n') FROM (" + sql + ") AS rows");
}

void Database::addUsers(std::int64_t first, std::int64_t last)
{
    require(m_connection.run(
        {"test_users", "INSERT INTO users (id) SELECT generate_series($1::bigint, $2::bigint)"},
        pg::Params{}.bigint(first).bigint(last)));
}

void Database::addBalance(std::int64_t user, std::string_view asset, std::string_view amount)
{
    require(m_connection.run({"test_balance",
                                 "INSERT INTO balances (user_id, asset, balance, initial_balance) "
                                 "VALUES ($1, $2, $3, $3)"},
        pg::Params{}.bigint(user).text(asset).numeric(amount)));
}

std::string Database::balance(std::int64_t user, std::string_view asset)
{
    const auto rows = require(m_connection.run(
        {"test_balance_of",
            "SELECT coalesce(trim_scale(max(balance - debt)), 0)::text FROM balances"
            " WHERE user_id = $1 AND asset = $2"},
        pg::Params{}.bigint(user).text(asset)));
    return std::string{rows.text(0, 0)};
}

std::string Database::brokenSums()
{
    return value("SELECT count(*) FROM balances b WHERE balance - debt <> initial_balance + "
                 "(SELECT coalesce(sum(amount), 0) FROM balance_events j"
                 " WHERE j.user_id = b.user_id AND j.asset = b.asset)");
}

} // namespace support
