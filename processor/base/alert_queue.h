// A bounded queue between the one alert function and a listener that may be slow.
#pragma once

#include "processor/base/alert.h"
#include "processor/base/limits.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <stop_token>
#include <vector>

namespace base {

/// Filled by any thread through push(), emptied by one. Must outlive the Alerter it listens to.
class AlertQueue
{
public:
    explicit AlertQueue(std::size_t most = kAlertQueueMax);

    /// Never blocks. False when full: the alert is dropped here (its log line is written already)
    /// and an error line names it.
    bool push(const Alert& alert);

    /// Up to `most` alerts in order; waits for the first one until `patience` has passed or stop is
    /// requested. Empty when there was none.
    [[nodiscard]] std::vector<Alert> take(
        std::size_t most, std::chrono::nanoseconds patience, const std::stop_token& stop);

private:
    const std::size_t m_most;
    std::mutex m_mutex;
    std::condition_variable_any m_filled;
    std::deque<Alert> m_alerts;
};

} // namespace base
