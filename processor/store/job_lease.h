// JobLease: the right to run a job that has transactions of its own; each of them checks it.
#pragma once

#include "processor/base/progress.h"
#include "processor/pg/transaction.h"

#include <cstdint>
#include <string>

namespace store {

inline constexpr const char* kLeaseLost = "lease_lost"; // Error::code

/// Made by whoever took the lease; used on the job's thread while the job runs.
class JobLease
{
public:
    /// `pulse` may be null; it beats with every transaction.
    JobLease(pg::Connection& connection, std::string job, std::string token, std::int64_t walkedTo,
        base::Pulse* pulse = nullptr);

    [[nodiscard]] pg::Connection& connection() { return m_connection; }

    /// Queues the check as the next statement of `transaction`. It comes first there, renews the
    /// lease, and keeps it from going to somebody else until the transaction ends.
    void addCheck(pg::Transaction& transaction);
    /// What its rows say: Conflict with code kLeaseLost when somebody else has the job by now.
    [[nodiscard]] static base::Status checked(const pg::Rows& rows);

    /// Where a job that walks a table goes on; stored when the job ends well or badly.
    [[nodiscard]] std::int64_t walkedTo() const { return m_walkedTo; }
    void walkTo(std::int64_t number) { m_walkedTo = number; }

    [[nodiscard]] const std::string& token() const { return m_token; }

private:
    pg::Connection& m_connection;
    const std::string m_job;
    const std::string m_token;
    std::int64_t m_walkedTo;
    base::Pulse* m_pulse;
};

} // namespace store
