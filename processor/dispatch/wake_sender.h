// WakeSender: tells other processes that there is work, at most every few milliseconds.
#pragma once

#include "processor/base/progress.h"
#include "processor/base/result.h"
#include "processor/base/wakeup.h"
#include "processor/store/own_connection.h"

#include <atomic>
#include <stop_token>

namespace dispatch {

/// A hint: without it the others poll. Notifications go out in transactions of their own, never in
/// that of the money, because PostgreSQL queues notifying commits one behind the other.
class WakeSender
{
public:
    explicit WakeSender(pg::ConnectOptions database);

    /// Asks for a notification soon; many calls make one. Never blocks. Thread-safe.
    void wakeOthers();
    /// Whether anybody else is there to be woken; true until told otherwise. Thread-safe.
    void setHasOthers(bool hasOthers) { m_hasOthers.store(hasOthers); }

    /// Sends one notification now.
    base::Status runOnce();
    void run(const std::stop_token& stop, base::Pulse& pulse);

private:
    store::OwnConnection m_database;
    base::Wakeup m_asked;
    std::atomic<bool> m_hasOthers{true};
};

} // namespace dispatch
