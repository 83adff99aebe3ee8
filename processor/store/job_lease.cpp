#include "processor/store/job_lease.h"

#include "processor/base/limits.h"
#include "sql/jobs.h"

#include <utility>

namespace store {

JobLease::JobLease(pg::Connection& connection, std::string job, std::string token,
    std::int64_t walkedTo, base::Pulse* pulse)
    : m_connection{connection}
    , m_job{std::move(job)}
    , m_token{std::move(token)}
    , m_walkedTo{walkedTo}
    , m_pulse{pulse}
{}

void JobLease::addCheck(pg::Transaction& transaction)
{
    if (m_pulse != nullptr) m_pulse->beat();
    pg::Params params;
    params.text(m_job).text(m_token).bigint(std::int64_t{base::kJobLease.count()});
    transaction.add(sql::kJobHold, std::move(params));
}

base::Status JobLease::checked(const pg::Rows& rows)
{
    if (rows.size() == 1) return base::Done{};
    return base::Error{
        base::ErrorKind::Conflict, "job_hold: the lease has gone to somebody else", kLeaseLost};
}

} // namespace store
