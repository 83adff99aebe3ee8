#include "processor/pg/exchange.h"

#include "processor/pg/sql_state.h"
#include "processor/pg/wire_type.h"

#include <algorithm>
#include <libpq-fe.h>
#include <poll.h>

namespace pg {
namespace {

constexpr std::size_t kParameterMax = 1U << 30; // what PostgreSQL takes as one value

// An encrypted record may be read in parts; the rest waits in the TLS library where poll() does not
// see it. So encrypted connections are read again at least this often.
constexpr std::chrono::milliseconds kEncryptedWait{20};

using ResultHandle = std::unique_ptr<pg_result, ClearResult>;

std::string field(const PGresult* raw, int code)
{
    const char* text = PQresultErrorField(raw, code);
    return text == nullptr ? std::string{} : std::string{text};
}

// Detail, hint and context stay behind: they may repeat values of rows.
base::Error serverError(const PGresult* raw, const char* name)
{
    const std::string code = field(raw, PG_DIAG_SQLSTATE);
    return {kindOfSqlState(code), std::string{name} + ": " + field(raw, PG_DIAG_MESSAGE_PRIMARY),
        code, field(raw, PG_DIAG_CONSTRAINT_NAME)};
}

} // namespace

bool Exchange::queue(const Query& query)
{
    const auto& values = query.params.values();
    std::vector<Oid> types;
    std::vector<const char*> data;
    std::vector<int> lengths;
    std::vector<int> formats;
    for (const Params::Value& value : values) {
        types.push_back(value.oid);
        data.push_back(value.data ? value.data->data() : nullptr);
        const std::size_t length = value.data ? value.data->size() : 0;
        CHECK(length <= kParameterMax);
        lengths.push_back(static_cast<int>(length));
        formats.push_back(value.format);
    }
    return PQsendQueryParams(m_raw, query.statement.text, query.params.size(), types.data(),
               data.data(), lengths.data(), formats.data(), wire::kBinaryFormat)
        != 0;
}

bool Exchange::start(const std::vector<Query>& queries)
{
    m_pipelined = true;
    if (PQenterPipelineMode(m_raw) == 0) return false;
    for (const Query& query : queries) {
        m_names.push_back(query.statement.name);
        if (!queue(query)) return false;
        ++m_queued;
    }
    m_rows.reserve(queries.size());
    return PQpipelineSync(m_raw) != 0;
}

bool Exchange::start(const std::string& script)
{
    m_names.push_back("script");
    if (PQsendQuery(m_raw, script.c_str()) == 0) return false;
    m_queued = 1;
    return true;
}

// Looks at one result. A lost connection makes libpq invent results of its own, without SQLSTATE.
void Exchange::take(ResultHandle result)
{
    switch (PQresultStatus(result.get())) {
    case PGRES_PIPELINE_SYNC:
        m_complete = true;
        return;
    case PGRES_PIPELINE_ABORTED: // skipped, because an earlier one failed
        return;
    case PGRES_COMMAND_OK:
    case PGRES_TUPLES_OK:
    case PGRES_EMPTY_QUERY:
        if (m_pipelined) m_rows.emplace_back(result.release());
        return;
    case PGRES_FATAL_ERROR:
        if (PQresultErrorField(result.get(), PG_DIAG_SQLSTATE) == nullptr) {
            m_lost = true;
        } else if (!m_failure) {
            // What fails at the Sync (a deferred constraint) belongs to the last query.
            const std::size_t index = std::min(m_current, m_names.size() - 1);
            m_failure = Failure{index, serverError(result.get(), m_names[index])};
        }
        return;
    case PGRES_COPY_IN:
    case PGRES_COPY_OUT:
    case PGRES_COPY_BOTH:
    case PGRES_SINGLE_TUPLE:
    case PGRES_BAD_RESPONSE:
    case PGRES_NONFATAL_ERROR:
        m_lost = true; // nothing of ours asks for these: the conversation is out of step
        return;
    }
}

// Takes every result that can be had without reading.
void Exchange::collect()
{
    while (!m_complete && !m_lost && PQisBusy(m_raw) == 0) {
        ResultHandle result{PQgetResult(m_raw)};
        if (result) {
            take(std::move(result));
        } else if (!m_pipelined) {
            m_complete = true;
        } else if (++m_current > m_names.size() + 1) {
            m_lost = true; // after the last query only the Sync answers, or fails
        }
    }
}

// False when the deadline has come.
bool Exchange::waitForMore(short events, Deadline deadline) const
{
    Deadline until = deadline;
    if (PQsslInUse(m_raw) != 0 || PQgssEncInUse(m_raw) != 0) {
        until = std::min(deadline, deadlineAfter(kEncryptedWait));
    }
    return waitFor(PQsocket(m_raw), events, until) == Ready::Yes || until < deadline;
}

Exchange::Ended Exchange::finish(Deadline deadline)
{
    for (;;) {
        const int flushed = PQflush(m_raw);
        collect();
        if (m_complete) return Ended::Complete;
        if (m_lost || flushed < 0 || PQstatus(m_raw) != CONNECTION_OK) return Ended::Lost;

        const short events = flushed == 0 ? POLLIN : static_cast<short>(POLLIN | POLLOUT);
        if (!waitForMore(events, deadline)) return Ended::TimedOut;
        if (PQconsumeInput(m_raw) == 0) {
            collect(); // the server's last words arrive together with the end of the connection
            return m_complete ? Ended::Complete : Ended::Lost;
        }
    }
}

} // namespace pg
