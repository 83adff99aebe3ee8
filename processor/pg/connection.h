// One PostgreSQL connection: every wait has a deadline, no named prepared statements, no session
// state (PgBouncer in transaction mode stays possible).
#pragma once

#include "processor/base/result.h"
#include "processor/pg/params.h"
#include "processor/pg/rows.h"
#include "processor/pg/statement.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

struct pg_conn;

namespace pg {

struct Query
{
    Statement statement;
    Params params = {};
};

struct ConnectOptions
{
    std::string url; // libpq URI or conninfo
    std::string applicationName = "countersignd";
    std::chrono::milliseconds connectTimeout{2000};
    std::chrono::milliseconds statementTimeout{5000}; // how long one round trip may take
    std::string user = {}; // instead of the URL's; empty: the URL's
};

/// What to do when a round trip passes its deadline.
enum class OnDeadline {
    Cancel, // ask the server to cancel, drain, report Conflict "57014"
    Abandon, // close the connection at once, report Unknown: the only choice for a COMMIT
    Leave, // close it, report Unavailable: what commits by itself may be at its commit, too
};

/// Movable, not shared between threads. After an error of the transport the connection is closed
/// (isOpen() is false) and every call answers Unavailable until reopen().
class Connection
{
public:
    static base::Result<Connection> open(const ConnectOptions& options);
    Connection(Connection&&) noexcept;
    Connection& operator=(Connection&&) noexcept;
    ~Connection();

    /// One statement, one round trip (extended protocol, binary results). Outside a transaction it
    /// commits by itself: then the server, which does not count the commit, keeps the time limit,
    /// and a lost answer is Unavailable although the statement may have taken effect; money moves
    /// only by Transaction::commit(), which says Unknown then.
    base::Result<Rows> run(const Statement& statement, const Params& params = {});

    /// All queries in one pipeline ended by one Sync: one round trip. The first failing statement
    /// is the error, with its name in the message; the rest was skipped by the server.
    base::Result<std::vector<Rows>> runPipeline(
        const std::vector<Query>& queries, OnDeadline onDeadline);
    /// Likewise, with the deadline of run().
    base::Result<std::vector<Rows>> runPipeline(const std::vector<Query>& queries);

    /// A script of several statements by the simple protocol; for migrations and roles only.
    base::Status runScript(const std::string& script);

    /// Another limit for the following round trips (long migrations); zero waits without limit.
    void setStatementTimeout(std::chrono::milliseconds timeout);
    [[nodiscard]] std::chrono::milliseconds statementTimeout() const;

    [[nodiscard]] bool isOpen() const;
    /// True while the server says idle, outside any transaction, without reading the socket.
    [[nodiscard]] bool isIdle() const;
    /// Looks, without waiting, whether the server hung up meanwhile; closes if so.
    [[nodiscard]] bool isAlive();
    base::Status reopen();
    void close();
    /// A second connection with the same options.
    [[nodiscard]] base::Result<Connection> openAnother() const;

    /// Waits for a NOTIFY until the deadline; the channel's name, or empty when none came.
    base::Result<std::string> waitForNotification(std::chrono::milliseconds timeout);
    /// The server process as the other side named it at login. A pooler names one that is not
    /// there: pg_backend_pid() is another number then.
    [[nodiscard]] std::int64_t namedProcess() const;
    /// The socket, for poll() beside other descriptors; -1 when closed.
    [[nodiscard]] int socket() const;

    /// Notices of the last round trip that say a synchronous standby did not confirm the commit.
    [[nodiscard]] bool replicationWasUncertain() const;

private:
    struct State;
    explicit Connection(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

} // namespace pg
