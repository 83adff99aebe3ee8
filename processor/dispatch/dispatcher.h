// Dispatcher: what waited and is due becomes work – pending → enqueued, with its line in the log.
#pragma once

#include "processor/base/alert.h"
#include "processor/base/limits.h"
#include "processor/base/metrics.h"
#include "processor/base/progress.h"
#include "processor/base/result.h"
#include "processor/base/wakeup.h"
#include "processor/store/own_connection.h"
#include "processor/store/payment_log.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

namespace dispatch {

struct DispatcherOptions
{
    pg::ConnectOptions database;
    std::chrono::milliseconds pollEvery{1'000};
    /// Called after a commit that enqueued something; must not block.
    std::function<void()> onEnqueued = {};
};

/// Waiting for finality ends when the chain role sets the row's due time; until then it is
/// infinite. Any number of dispatchers may run at once.
class Dispatcher
{
public:
    Dispatcher(DispatcherOptions options, store::PaymentLog& log, base::Alerter& alerter,
        base::Metrics& metrics);

    /// One batch of at most kEnqueueBatchMax events. Returns how many left the waiting list. An
    /// event whose data makes the batch fail is found by halving, set aside for a minute and told
    /// by an alert; the others go on.
    base::Result<std::size_t> runOnce();
    void run(const std::stop_token& stop, base::Wakeup& wakeup, base::Pulse& pulse);

private:
    struct DueEvent
    {
        std::int64_t eventNo;
        std::int64_t userId;
        std::int16_t lane;
        std::int16_t attempts;
        store::LogEntry logEntry;
    };

    base::Result<std::vector<DueEvent>> lockDue(pg::Transaction& transaction);
    base::Result<std::size_t> move(pg::Transaction& transaction, std::vector<DueEvent> due);
    void judgeFailure(const base::Error& error, const std::vector<DueEvent>& due);
    void setAside(std::int64_t eventNo, const std::string& reason);
    [[nodiscard]] std::vector<std::int64_t> asideNow();

    using Clock = std::chrono::steady_clock;

    const DispatcherOptions m_options;
    store::OwnConnection m_database;
    store::PaymentLog& m_log;
    base::Alerter& m_alerter;
    base::Counter m_enqueued;
    std::size_t m_batchMax = base::kEnqueueBatchMax;
    std::map<std::int64_t, Clock::time_point> m_aside; // event number → tried again then
};

} // namespace dispatch
