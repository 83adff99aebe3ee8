#include "processor/watch/session_guard.h"

#include "processor/base/log.h"
#include "processor/base/wakeup.h"
#include "sql/sessions.h"

#include <string>
#include <utility>

namespace watch {

SessionGuard::SessionGuard(pg::ConnectOptions database, base::Alerter& alerter,
    base::Metrics& metrics, std::chrono::seconds patience)
    : m_database{std::move(database)}
    , m_alerter{alerter}
    , m_ended{metrics.counter("countersign_stuck_sessions_ended_total",
          "Sessions ended because their process stopped in the middle of a transaction.")}
    , m_patience{patience}
{}

base::Result<std::int64_t> SessionGuard::runOnce()
{
    const auto connection = m_database.get();
    if (!connection) return connection.error();
    const auto ended
        = (*connection)
              ->run(sql::kSessionsEndStuck, pg::Params{}.bigint(std::int64_t{m_patience.count()}));
    if (!ended) return ended.error();
    for (int row = 0; row < ended->size(); ++row) {
        base::logWarning("ended a session that stood still in a transaction",
            {{"pid", ended->bigint(row, 0)}, {"age_ms", ended->bigint(row, 1)},
                {"state", std::string{ended->text(row, 2)}},
                {"waited_in", std::string{ended->text(row, 3)}},
                {"client", std::string{ended->text(row, 4)}}});
    }
    const std::int64_t count = ended->size();
    if (count > 0) {
        m_ended.add(count);
        m_alerter.raise(base::AlertLevel::Warning, "stuck_session_ended",
            std::to_string(count)
                + " session(s) stood still in a transaction and were ended; is a worker frozen?");
    }
    return count;
}

void SessionGuard::run(const std::stop_token& stop, base::Pulse& pulse)
{
    base::Wakeup never;
    bool wasAway = false;
    while (!stop.stop_requested()) {
        pulse.beat();
        const auto ended = runOnce();
        if (!ended && !wasAway) {
            base::logWarning("sessions not looked after", {{"error", ended.error().message}});
        }
        wasAway = !ended;
        (void)never.waitFor(base::kStuckCheck, stop);
    }
}

} // namespace watch
