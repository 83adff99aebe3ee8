// Migrator: brings a database forward to the schema this program carries, and refuses any other.
#pragma once

#include "processor/pg/connection.h"
#include "processor/pg/migration.h"
#include "processor/pg/transaction.h"

#include <chrono>
#include <span>
#include <string>
#include <vector>

namespace pg {

struct MigratorLimits
{
    std::chrono::milliseconds otherMigrator{600'000}; // how long another one is waited for
    std::chrono::milliseconds tableLock{30'000}; // how long a migration waits for a table
};

/// Forward only, one transaction per migration, under a table lock, so any number of migrators may
/// start at once. Number, name and SHA-256 are recorded in `schema_migrations`. Corrupt when a file
/// was changed after it was applied, when one is missing below the newest, or when the database is
/// newer than this program. Needs a direct connection, not a pooler's.
class Migrator
{
public:
    /// `known` are numbered 1, 2, 3, … as sql::kMigrations is.
    Migrator(Connection& connection, std::span<const Migration> known, MigratorLimits limits = {});

    /// What apply() would run now; changes nothing.
    base::Result<std::vector<Migration>> plan();

    /// Runs what is missing and returns it. An error leaves those before it applied.
    base::Result<std::vector<Migration>> apply();

    /// An idempotent script (sql::kRoles), in one transaction under the same lock: two that alter
    /// the same roles at once would fail.
    base::Status runScript(const std::string& script);

private:
    base::Status prepareTable();
    [[nodiscard]] TransactionLimits transactionLimits() const;
    base::Result<std::vector<Rows>> lock(Transaction& transaction);
    base::Result<bool> applyOne(const Migration& migration);
    base::Result<bool> applyUnderLock(const Migration& migration, Connection& worker);

    Connection& m_connection;
    std::span<const Migration> m_known;
    MigratorLimits m_limits;
};

} // namespace pg
