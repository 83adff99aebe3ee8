// A READ COMMITTED transaction made of pipelined round trips; leaving the scope rolls back.
#pragma once

#include "processor/pg/connection.h"

#include <chrono>
#include <optional>
#include <vector>

namespace pg {

struct TransactionLimits
{
    std::chrono::milliseconds statement{5000}; // statement_timeout, local to the transaction
    std::chrono::milliseconds lock{2000}; // lock_timeout, local to the transaction
};

/// Statements are queued by add() and go out together: send() is one round trip, commit() the last
/// one. BEGIN and the local timeouts travel with the first.
///
///     pg::Transaction tx{connection};
///     tx.add(sql::kLockLanes, …);
///     tx.add(sql::kReadQueue, …);
///     const auto read = tx.send();             // round trip 1: one Rows per queued statement
///     tx.add(sql::kWriteBalances, …);
///     if (const auto wrote = tx.send(); !wrote) return wrote.error();
///     tx.add(sql::kLogTailLock); tx.add(sql::kLogAppend, …);
///     return tx.commit();                      // round trip 3; ErrorKind::Unknown: run it again
class Transaction
{
public:
    explicit Transaction(Connection& connection, TransactionLimits limits = {});
    ~Transaction();
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;

    Transaction& add(const Statement& statement, Params params = {});

    /// One round trip for all queued statements. On error the transaction is over (rolled back or
    /// the connection closed) and the object only answers errors.
    base::Result<std::vector<Rows>> send();

    /// Sends what is queued, then COMMIT, as one round trip. Returns the rows of the queued
    /// statements. A COMMIT is never cancelled: its lost or late answer, and a warning about
    /// synchronous replication, are ErrorKind::Unknown.
    base::Result<std::vector<Rows>> commit();

    void rollback();
    [[nodiscard]] int roundTrips() const { return m_roundTrips; }

private:
    base::Result<std::vector<Rows>> run(OnDeadline onDeadline);
    base::Result<std::vector<Rows>> fail(const base::Error& error);

    Connection& m_connection;
    TransactionLimits m_limits;
    std::vector<Query> m_queued;
    bool m_begun = false;
    bool m_over = false;
    std::optional<base::Error> m_failure; // what every later call answers
    int m_roundTrips = 0;
};

} // namespace pg
