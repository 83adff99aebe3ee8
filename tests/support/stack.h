// The stores of a test program: PostgreSQL and Redis for all its tests, a database for each.
#pragma once

#include "processor/embedded/stack.h"
#include "processor/redis/client.h"
#include "tests/support/database.h"
#include "tests/support/temp_folder.h"

#include <memory>
#include <string>
#include <vector>

namespace support {

/// An embedded stack without fsync in a folder of its own, with roles and the demo's people, and
/// the whole schema in a template that databases are copied from. Not being able to start ends the
/// test program.
class TestStack
{
public:
    /// `postgresSettings` are "name=value".
    explicit TestStack(const std::vector<std::string>& postgresSettings = {});

    /// A database like after `migrate`, with the assets of the first migration and nothing else.
    /// It stays until the stack ends.
    Database createDatabase();
    /// A new connection; `clear` empties Redis first, which all tests of the program share.
    redis::Client connectRedis(bool clear = false) const;

    [[nodiscard]] std::string redisUrl() const { return m_stores->redisUrl(); }
    [[nodiscard]] std::string secretFile() const { return m_stores->secretFile(); }
    [[nodiscard]] std::string secret() const;
    /// For outages: pid(), hold(), release().
    [[nodiscard]] embedded::Stack& stores() { return *m_stores; }

private:
    void makeTemplate();

    TempFolder m_folder;
    std::unique_ptr<embedded::Stack> m_stores;
    int m_databases = 0;
};

} // namespace support
