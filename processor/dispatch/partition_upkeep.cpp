#include "processor/dispatch/partition_upkeep.h"

#include "processor/base/log.h"
#include "processor/base/wakeup.h"
#include "processor/store/partitions.h"

#include <algorithm>
#include <utility>

namespace dispatch {
namespace {

constexpr std::chrono::milliseconds kRetry{5'000};

} // namespace

PartitionUpkeep::PartitionUpkeep(
    pg::ConnectOptions database, base::Alerter& alerter, std::chrono::milliseconds every)
    : m_database{std::move(database)}
    , m_alerter{alerter}
    , m_every{every}
{}

base::Result<std::int64_t> PartitionUpkeep::runOnce()
{
    const auto connection = m_database.get();
    if (!connection) return connection.error();
    return store::makePartitions(**connection);
}

void PartitionUpkeep::run(const std::stop_token& stop, base::Pulse& pulse)
{
    base::Wakeup never;
    while (!stop.stop_requested()) {
        pulse.beat();
        const auto made = runOnce();
        if (made) {
            if (*made > 0) base::logInfo("partitions made", {{"count", *made}});
            (void)never.waitFor(m_every, stop);
            continue;
        }
        const bool isAway = made.error().kind == base::ErrorKind::Unavailable;
        if (isAway) {
            base::logWarning("partitions not looked after", {{"error", made.error().message}});
        } else {
            m_alerter.raise(base::AlertLevel::Warning, "partitions_missing",
                "the next partitions could not be made: " + made.error().message);
        }
        (void)never.waitFor(std::min(m_every, kRetry), stop);
    }
}

} // namespace dispatch
