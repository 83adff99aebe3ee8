#include "processor/pg/connection.h"

#include "processor/base/log.h"
#include "processor/pg/cancel.h"
#include "processor/pg/connect.h"
#include "processor/pg/exchange.h"
#include "processor/pg/sql_state.h"
#include "sql/transaction.h"

#include <algorithm>
#include <libpq-fe.h>
#include <poll.h>
#include <string_view>
#include <sys/socket.h>

namespace pg {
namespace {

using std::chrono::milliseconds;

// How long a cancelled round trip may take to end before the connection is given up.
constexpr milliseconds kDrainLimit{2'000};

constexpr const char* kNoAnswer = "no answer within the deadline";

std::string_view noticeField(const PGresult* raw, int code)
{
    const char* text = PQresultErrorField(raw, code);
    return text == nullptr ? std::string_view{} : std::string_view{text};
}

std::string lastMessage(const PGconn* raw)
{
    std::string text = PQerrorMessage(raw);
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
}

} // namespace

struct Connection::State
{
    ConnectOptions options;
    Handle raw;
    bool replicationUncertain = false;
    bool closeAfterwards = false; // a cancel request may still be on its way

    base::Status connectNow();
    void close()
    {
        raw.reset();
        closeAfterwards = false;
    }
    bool isOpen() const { return raw && PQstatus(raw.get()) == CONNECTION_OK; }

    base::Result<std::vector<Rows>> runPipeline(
        const std::vector<Query>& queries, OnDeadline onDeadline);
    base::Result<std::vector<Rows>> runByItself(std::vector<Query> queries);
    base::Status runScript(const std::string& script);
    Exchange::Ended finish(Exchange& exchange, OnDeadline onDeadline);

    base::Error notOpen(const char* name) const;
    base::Error lost(const char* name, OnDeadline onDeadline);
    base::Error lost(const char* name, OnDeadline onDeadline, std::string why);
    static void onNotice(void* state, const PGresult* notice);
};

base::Status Connection::State::connectNow()
{
    close();
    auto connected = connect(options);
    if (!connected) return connected.error();
    raw = std::move(*connected);
    PQsetNoticeReceiver(raw.get(), &State::onNotice, this);
    return base::Done{};
}

// The words of a notice follow lc_messages, the function that raised it does not: SyncRepWaitForLSN
// warns (01000 or 57P01) when it gives up waiting for the standby of a transaction that has already
// committed locally.
void Connection::State::onNotice(void* state, const PGresult* notice)
{
    const auto primary = noticeField(notice, PG_DIAG_MESSAGE_PRIMARY);
    const auto sqlState = noticeField(notice, PG_DIAG_SQLSTATE);
    if (noticeField(notice, PG_DIAG_SOURCE_FUNCTION) == "SyncRepWaitForLSN"
        || (sqlState == "01000" && primary.find("synchronous replication") != primary.npos)) {
        static_cast<State*>(state)->replicationUncertain = true;
    }
    base::log(base::LogLevel::Debug, "postgresql notice",
        {{"sqlstate", std::string{sqlState}}, {"notice", std::string{primary}}});
}

base::Error Connection::State::notOpen(const char* name) const
{
    return {base::ErrorKind::Unavailable, std::string{name} + ": not connected", kNotConnected};
}

// Ends the connection, whose state nobody knows any more.
base::Error Connection::State::lost(const char* name, OnDeadline onDeadline)
{
    return lost(name, onDeadline, "connection lost: " + lastMessage(raw.get()));
}

base::Error Connection::State::lost(const char* name, OnDeadline onDeadline, std::string why)
{
    // Nothing that is still queued may follow: PQfinish would try to send it.
    if (const int socket = PQsocket(raw.get()); socket >= 0) ::shutdown(socket, SHUT_RDWR);
    close();
    const auto kind = onDeadline == OnDeadline::Abandon ? base::ErrorKind::Unknown
                                                        : base::ErrorKind::Unavailable;
    return {kind, std::string{name} + ": " + std::move(why), kConnectionLost};
}

// On TimedOut and Lost the connection is of no further use.
Exchange::Ended Connection::State::finish(Exchange& exchange, OnDeadline onDeadline)
{
    const bool hasLimit = options.statementTimeout > milliseconds{0};
    const bool isLeft = onDeadline == OnDeadline::Leave && hasLimit; // the server ends it sooner
    const auto limit = options.statementTimeout + (isLeft ? kDrainLimit : milliseconds{0});
    const auto ended = exchange.finish(deadlineAfter(limit));
    if (ended != Exchange::Ended::TimedOut || onDeadline != OnDeadline::Cancel) return ended;

    Cancellation cancellation{raw.get()};
    const Deadline drained = deadlineAfter(kDrainLimit);
    const auto endedNow = exchange.finish(drained);
    // A request still on its way could hit the next statement. The answer itself stands.
    const bool complete = endedNow == Exchange::Ended::Complete;
    closeAfterwards = complete && !cancellation.deliveredBy(drained);
    return endedNow;
}

base::Result<std::vector<Rows>> Connection::State::runPipeline(
    const std::vector<Query>& queries, OnDeadline onDeadline)
{
    if (!isOpen()) return notOpen(queries.front().statement.name);
    replicationUncertain = false;

    Exchange exchange{raw.get()};
    const std::size_t last = queries.size() - 1;
    if (!exchange.start(queries)) {
        // The last statement (the COMMIT) may have left only if everything before it had.
        const bool mayHaveEnded = exchange.queued() >= last;
        return lost(queries[std::min(exchange.queued(), last)].statement.name,
            mayHaveEnded ? onDeadline : OnDeadline::Cancel);
    }
    const auto ended = finish(exchange, onDeadline);
    const auto& failure = exchange.failure();
    if (ended != Exchange::Ended::Complete) {
        // The server said that a statement before the last failed: then the last was not executed.
        // If it died of the last one, nobody can tell how far that had come.
        const char* name = queries[last].statement.name;
        const base::Error unclear = ended == Exchange::Ended::TimedOut
            ? lost(name, onDeadline, kNoAnswer)
            : lost(name, onDeadline);
        const bool certain
            = failure && (failure->index < last || onDeadline != OnDeadline::Abandon);
        return certain ? failure->error : unclear;
    }
    if (PQexitPipelineMode(raw.get()) == 0 || closeAfterwards) close();
    if (failure) return failure->error;
    auto rows = exchange.takeRows();
    CHECK(rows.size() == queries.size());
    return rows;
}

// A cancel request could hit the commit, whose wait for a synchronous standby it would end. The
// server's own limit never does: it is over before the commit begins.
base::Result<std::vector<Rows>> Connection::State::runByItself(std::vector<Query> queries)
{
    const bool hasLimit = options.statementTimeout > milliseconds{0};
    if (hasLimit) {
        Params limit;
        limit.text(asMillis(options.statementTimeout));
        queries.insert(queries.begin(), Query{sql::kStatementLimit, std::move(limit)});
    }
    auto rows = runPipeline(queries, OnDeadline::Leave);
    if (rows && hasLimit) rows->erase(rows->begin());
    return rows;
}

base::Status Connection::State::runScript(const std::string& script)
{
    if (!isOpen()) return notOpen("script");
    replicationUncertain = false;
    Exchange exchange{raw.get()};
    if (!exchange.start(script)) return lost("script", OnDeadline::Cancel);
    const auto ended = finish(exchange, OnDeadline::Cancel);
    if (ended != Exchange::Ended::Complete) {
        const base::Error unclear = ended == Exchange::Ended::TimedOut
            ? lost("script", OnDeadline::Cancel, kNoAnswer)
            : lost("script", OnDeadline::Cancel);
        return exchange.failure() ? exchange.failure()->error : unclear;
    }
    if (closeAfterwards) close();
    if (exchange.failure()) return exchange.failure()->error;
    return base::Done{};
}

Connection::Connection(std::unique_ptr<State> state) : m_state{std::move(state)} {}
Connection::Connection(Connection&&) noexcept = default;
Connection& Connection::operator=(Connection&&) noexcept = default;
Connection::~Connection() = default;

base::Result<Connection> Connection::open(const ConnectOptions& options)
{
    auto state = std::make_unique<State>();
    state->options = options;
    if (const auto connected = state->connectNow(); !connected) return connected.error();
    return Connection{std::move(state)};
}

base::Result<Rows> Connection::run(const Statement& statement, const Params& params)
{
    auto all = runPipeline({Query{statement, params}});
    if (!all) return all.error();
    return std::move(all->front());
}

base::Result<std::vector<Rows>> Connection::runPipeline(
    const std::vector<Query>& queries, OnDeadline onDeadline)
{
    if (queries.empty()) return std::vector<Rows>{};
    return m_state->runPipeline(queries, onDeadline);
}

base::Result<std::vector<Rows>> Connection::runPipeline(const std::vector<Query>& queries)
{
    if (queries.empty()) return std::vector<Rows>{};
    return isIdle() ? m_state->runByItself(queries)
                    : m_state->runPipeline(queries, OnDeadline::Cancel);
}

base::Status Connection::runScript(const std::string& script)
{
    return m_state->runScript(script);
}

void Connection::setStatementTimeout(milliseconds timeout)
{
    m_state->options.statementTimeout = timeout;
}

milliseconds Connection::statementTimeout() const
{
    return m_state->options.statementTimeout;
}

bool Connection::isOpen() const
{
    return m_state && m_state->isOpen();
}

bool Connection::isIdle() const
{
    return isOpen() && PQtransactionStatus(m_state->raw.get()) == PQTRANS_IDLE;
}

bool Connection::isAlive()
{
    // What a server says before it hangs up and the end itself are read one after the other; any
    // number of notifications may stand before them.
    while (isOpen() && waitFor(socket(), POLLIN, std::chrono::steady_clock::now()) == Ready::Yes) {
        if (PQconsumeInput(m_state->raw.get()) == 0) m_state->close();
    }
    return isOpen();
}

base::Status Connection::reopen()
{
    return m_state->connectNow();
}

void Connection::close()
{
    m_state->close();
}

base::Result<Connection> Connection::openAnother() const
{
    return open(m_state->options);
}

base::Result<std::string> Connection::waitForNotification(milliseconds timeout)
{
    struct FreeNotify
    {
        void operator()(PGnotify* raw) const noexcept { PQfreemem(raw); }
    };
    const Deadline deadline = std::chrono::steady_clock::now() + timeout;
    for (;;) {
        if (!isOpen()) return m_state->notOpen("notification");
        const std::unique_ptr<PGnotify, FreeNotify> notify{PQnotifies(m_state->raw.get())};
        if (notify) return std::string{notify->relname};
        if (waitFor(socket(), POLLIN, deadline) == Ready::TimedOut) return std::string{};
        if (PQconsumeInput(m_state->raw.get()) == 0) {
            return m_state->lost("notification", OnDeadline::Cancel);
        }
    }
}

std::int64_t Connection::namedProcess() const
{
    return isOpen() ? PQbackendPID(m_state->raw.get()) : -1;
}

int Connection::socket() const
{
    return isOpen() ? PQsocket(m_state->raw.get()) : -1;
}

bool Connection::replicationWasUncertain() const
{
    return m_state->replicationUncertain;
}

} // namespace pg
