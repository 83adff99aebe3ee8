// BacklogSampler: counts, every second, what waits to be settled, and tells the gate.
#pragma once

#include "processor/base/progress.h"
#include "processor/base/result.h"
#include "processor/ingest/gate.h"
#include "processor/store/own_connection.h"

#include <cstdint>
#include <stop_token>

namespace ingest {

class BacklogSampler
{
public:
    BacklogSampler(pg::ConnectOptions database, Gate& gate);

    /// Workable rows and retries, hardly more than the limit; an error leaves the gate to the rest.
    base::Result<std::int64_t> runOnce();
    /// Every kBacklogSample until stopped.
    void run(const std::stop_token& stop, base::Pulse& pulse);

private:
    store::OwnConnection m_database;
    Gate& m_gate;
};

} // namespace ingest
