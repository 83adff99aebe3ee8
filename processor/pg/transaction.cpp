#include "processor/pg/transaction.h"

#include "processor/pg/deadline.h"
#include "sql/transaction.h"

namespace pg {
namespace {

base::Error over()
{
    return {base::ErrorKind::Corrupt, "the transaction is already over"};
}

} // namespace

Transaction::Transaction(Connection& connection, TransactionLimits limits)
    : m_connection{connection}
    , m_limits{limits}
{}

Transaction::~Transaction()
{
    rollback();
}

Transaction& Transaction::add(const Statement& statement, Params params)
{
    m_queued.push_back({statement, std::move(params)});
    return *this;
}

// The queued statements, with BEGIN and its limits before them if they are the first. The two are
// taken off the answer again by run().
base::Result<std::vector<Rows>> Transaction::run(OnDeadline onDeadline)
{
    const bool first = !m_begun;
    if (first) {
        // The server may have hung up while the connection was idle: one fresh try.
        if (!m_connection.isAlive()) {
            if (const auto reopened = m_connection.reopen(); !reopened) return reopened.error();
        }
        CHECK(m_connection.isIdle()); // transactions of one connection do not nest
        Params limits;
        limits.text(asMillis(m_limits.statement)).text(asMillis(m_limits.lock));
        m_queued.insert(m_queued.begin(),
            {Query{sql::kTransactionBegin}, Query{sql::kTransactionLimits, std::move(limits)}});
        m_begun = true;
    }
    ++m_roundTrips;
    auto answers = m_connection.runPipeline(m_queued, onDeadline);
    m_queued.clear();
    if (answers && first) answers->erase(answers->begin(), answers->begin() + 2);
    return answers;
}

base::Result<std::vector<Rows>> Transaction::fail(const base::Error& error)
{
    rollback();
    m_failure = error;
    return error;
}

base::Result<std::vector<Rows>> Transaction::send()
{
    if (m_failure) return *m_failure;
    if (m_over) return over();
    if (m_queued.empty()) return std::vector<Rows>{};
    auto answers = run(OnDeadline::Cancel);
    if (!answers) return fail(answers.error());
    return answers;
}

base::Result<std::vector<Rows>> Transaction::commit()
{
    if (m_failure) return *m_failure;
    if (m_over) return over();
    if (m_queued.empty() && !m_begun) {
        m_over = true;
        return std::vector<Rows>{};
    }
    add(sql::kTransactionCommit);
    auto answers = run(OnDeadline::Abandon);
    if (!answers) return fail(answers.error());

    const bool rolledBack = answers->back().commandTag() != "COMMIT";
    answers->pop_back();
    if (rolledBack) {
        return fail({base::ErrorKind::Conflict, "transaction_commit: answered by a rollback"});
    }
    if (m_connection.replicationWasUncertain()) {
        return fail({base::ErrorKind::Unknown,
            "transaction_commit: committed here, not confirmed by the synchronous standby",
            "01000"});
    }
    m_over = true;
    return answers;
}

void Transaction::rollback()
{
    if (m_over) return;
    m_over = true;
    m_queued.clear();
    if (!m_begun || !m_connection.isOpen() || m_connection.isIdle()) return;
    if (!m_connection.run(sql::kTransactionRollback) || !m_connection.isIdle()) {
        m_connection.close();
    }
}

} // namespace pg
