#include "processor/ingest/backlog_sampler.h"

#include "processor/base/limits.h"
#include "processor/base/wakeup.h"
#include "sql/backlog.h"

#include <utility>

namespace ingest {

BacklogSampler::BacklogSampler(pg::ConnectOptions database, Gate& gate)
    : m_database{std::move(database)}
    , m_gate{gate}
{}

base::Result<std::int64_t> BacklogSampler::runOnce()
{
    const auto connection = m_database.get();
    if (!connection) {
        m_gate.noteBacklog(std::nullopt);
        return connection.error();
    }
    const auto rows
        = (*connection)
              ->run(sql::kBacklogCount, pg::Params{}.bigint(m_gate.limits().backlogMax + 1));
    if (!rows) {
        m_gate.noteBacklog(std::nullopt);
        return rows.error();
    }
    m_gate.noteBacklog(rows->bigint(0, 0));
    return rows->bigint(0, 0);
}

void BacklogSampler::run(const std::stop_token& stop, base::Pulse& pulse)
{
    base::Wakeup never;
    while (!stop.stop_requested()) {
        pulse.beat();
        (void)runOnce(); // without a database intake finds out by itself
        (void)never.waitFor(base::kBacklogSample, stop);
    }
}

} // namespace ingest
