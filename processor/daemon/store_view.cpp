#include "processor/daemon/store_view.h"

#include "processor/dispatch/stream_names.h"
#include "sql/status.h"

#include <algorithm>
#include <utility>

namespace processor {

std::optional<std::int64_t> StoreView::processing() const
{
    if (!stream) return std::nullopt;
    for (const dispatch::GroupView& group : stream->groups) {
        if (group.name == dispatch::kBalanceUpdaters) return group.pending;
    }
    return 0; // the relay makes the group with the first line it writes
}

std::optional<std::int64_t> StoreView::streamLast() const
{
    if (!stream) return std::nullopt;
    return dispatch::numberOfId(stream->lastGeneratedId);
}

std::optional<std::int64_t> StoreView::lagOf(const dispatch::GroupView& group) const
{
    if (!database || !group.lastDelivered) return std::nullopt;
    return std::max<std::int64_t>(0, database->logLast - *group.lastDelivered);
}

StoreViewReader::StoreViewReader(pg::ConnectOptions database, const std::string& redisUrl)
    : m_database{std::move(database)}
    , m_stream{{.url = redisUrl}, std::string{dispatch::kStream}}
{}

StoreView StoreViewReader::read()
{
    return StoreView{readDatabase(), m_stream.look()};
}

base::Result<DatabaseView> StoreViewReader::readDatabase()
{
    const auto connection = m_database.get();
    if (!connection) return connection.error();

    pg::Params known;
    known.bigint(m_logLast);
    const auto rows = (*connection)
                          ->runPipeline({{sql::kStatusSchema}, {sql::kStatusWork},
                              {sql::kStatusLogLast, known}, {sql::kStatusEstimates}});
    if (!rows) return rows.error();
    const pg::Rows& work = (*rows)[1];
    const pg::Rows& estimates = (*rows)[3];

    DatabaseView view;
    view.schema = (*rows)[0].bigint(0, 0);
    view.enqueued = work.bigint(0, 0);
    view.pending = work.bigint(0, 1);
    view.openLetters = work.bigint(0, 2);
    view.oldestAgeMs = work.bigintOrNull(0, 3);
    view.logLast = m_logLast = (*rows)[2].bigint(0, 0);
    view.confirmedEstimate = estimates.bigint(0, 0);
    // Whatever neither waits nor has moved money has failed.
    view.failedEstimate = std::max<std::int64_t>(
        0, estimates.bigint(0, 1) - view.confirmedEstimate - view.enqueued - view.pending);
    return view;
}

} // namespace processor
