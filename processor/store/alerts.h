// AlertWriter: brings raised alerts into the table `alerts`, off the thread that raised them.
#pragma once

#include "processor/base/alert_queue.h"
#include "processor/base/progress.h"
#include "processor/base/result.h"
#include "processor/pg/connection.h"
#include "processor/store/own_connection.h"

#include <cstddef>
#include <deque>
#include <stop_token>

namespace store {

/// Adds the alert to the row of its key, or makes that row. An alert without key goes by its text.
base::Status writeAlert(pg::Connection& connection, const base::Alert& alert);

/// Empties the queue into the table. While the database is away alerts are kept here, the oldest
/// give way beyond kAlertQueueMax (their log lines are written already).
class AlertWriter
{
public:
    AlertWriter(pg::ConnectOptions database, base::AlertQueue& queue);

    /// Takes what is there (waiting up to `patience` for the first) and writes it. The number
    /// written; an error leaves the rest for the next call.
    base::Result<std::size_t> runOnce(
        std::chrono::milliseconds patience, const std::stop_token& stop);
    /// Runs until stopped, and then writes what is still there.
    void run(const std::stop_token& stop, base::Pulse& pulse);

private:
    void keep(std::vector<base::Alert> alerts);

    OwnConnection m_database;
    base::AlertQueue& m_queue;
    std::deque<base::Alert> m_kept;
};

} // namespace store
