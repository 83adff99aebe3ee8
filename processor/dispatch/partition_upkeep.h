// PartitionUpkeep: partitions are there before the numbers that need them.
#pragma once

#include "processor/base/alert.h"
#include "processor/base/progress.h"
#include "processor/base/result.h"
#include "processor/store/own_connection.h"

#include <chrono>
#include <cstdint>
#include <stop_token>

namespace dispatch {

class PartitionUpkeep
{
public:
    PartitionUpkeep(pg::ConnectOptions database, base::Alerter& alerter,
        std::chrono::milliseconds every = std::chrono::seconds{60});

    /// Makes what is missing; the number made.
    base::Result<std::int64_t> runOnce();
    /// At once and then at the interval, until stopped. A failure is tried again sooner, and an
    /// alert: two whole partitions lie ahead, so it has time, but not for ever.
    void run(const std::stop_token& stop, base::Pulse& pulse);

private:
    store::OwnConnection m_database;
    base::Alerter& m_alerter;
    const std::chrono::milliseconds m_every;
};

} // namespace dispatch
