// WakeListener: hears that another process made work, and wakes the loops of this one.
#pragma once

#include "processor/base/progress.h"
#include "processor/base/result.h"
#include "processor/base/wakeup.h"
#include "processor/store/own_connection.h"

#include <chrono>
#include <stop_token>
#include <vector>

namespace dispatch {

/// Needs a direct connection (DATABASE_DIRECT_URL): through a pooler nothing arrives, so it does
/// not listen there, and the loops poll.
class WakeListener
{
public:
    /// `wakeups` are notified together; they must outlive this object.
    WakeListener(pg::ConnectOptions direct, std::vector<base::Wakeup*> wakeups);

    /// Waits for one notification; true when one came. After a (re)connect everybody is woken once,
    /// because something may have been missed.
    base::Result<bool> runOnce(std::chrono::milliseconds patience);
    void run(const std::stop_token& stop, base::Pulse& pulse);

private:
    base::Status listen(pg::Connection& connection);
    void wakeAll();

    store::OwnConnection m_database;
    const std::vector<base::Wakeup*> m_wakeups;
    bool m_isListening = false; // or there is nothing to be heard on this connection
    bool m_isPooled = false;
};

} // namespace dispatch
