// SessionGuard: ends sessions of the processor whose process is frozen, which frees their lanes.
#pragma once

#include "processor/base/alert.h"
#include "processor/base/limits.h"
#include "processor/base/metrics.h"
#include "processor/base/progress.h"
#include "processor/base/result.h"
#include "processor/store/own_connection.h"

#include <chrono>
#include <cstdint>
#include <stop_token>

namespace watch {

/// Needs no lock, row or lease, because a frozen instance may hold any of them: every instance that
/// watches does this by itself, and it does no harm twice.
class SessionGuard
{
public:
    SessionGuard(pg::ConnectOptions database, base::Alerter& alerter, base::Metrics& metrics,
        std::chrono::seconds patience = base::kStuckTransaction);

    /// Ends what has been in one transaction for longer than the patience and waits for its client;
    /// how many. Of this program only, and of logins that this one is a member of.
    base::Result<std::int64_t> runOnce();
    /// Every kStuckCheck until stopped.
    void run(const std::stop_token& stop, base::Pulse& pulse);

private:
    store::OwnConnection m_database;
    base::Alerter& m_alerter;
    base::Counter m_ended;
    const std::chrono::seconds m_patience;
};

} // namespace watch
