#include "processor/dispatch/wake_listener.h"

#include "processor/base/log.h"
#include "processor/dispatch/backoff.h"
#include "sql/wake.h"

#include <algorithm>
#include <utility>

namespace dispatch {
namespace {

constexpr std::chrono::milliseconds kPatience{250}; // how late a stop may be noticed

} // namespace

WakeListener::WakeListener(pg::ConnectOptions direct, std::vector<base::Wakeup*> wakeups)
    : m_database{std::move(direct)}
    , m_wakeups{std::move(wakeups)}
{}

void WakeListener::wakeAll()
{
    for (base::Wakeup* wakeup : m_wakeups) wakeup->notify();
}

base::Status WakeListener::listen(pg::Connection& connection)
{
    const auto process = connection.run(sql::kWakeOwnProcess);
    if (!process) return process.error();
    if (process->bigint(0, 0) != connection.namedProcess()) {
        if (!m_isPooled) {
            base::logInfo("no wake-ups from other processes through a pooler; the loops poll, "
                          "unless DATABASE_DIRECT_URL leads past it");
        }
        m_isPooled = true;
        return base::Done{};
    }
    m_isPooled = false;
    if (const auto listening = connection.run(sql::kWakeListen); !listening) {
        return listening.error();
    }
    return base::Done{};
}

base::Result<bool> WakeListener::runOnce(std::chrono::milliseconds patience)
{
    const auto connection = m_database.get();
    if (!connection) {
        m_isListening = false;
        return connection.error();
    }
    if (!m_isListening) {
        if (const auto listening = listen(**connection); !listening) return listening.error();
        m_isListening = true;
        wakeAll();
    }
    const auto channel = (*connection)->waitForNotification(patience);
    if (!channel) {
        m_isListening = false;
        return channel.error();
    }
    if (channel->empty()) return false;
    wakeAll();
    return true;
}

void WakeListener::run(const std::stop_token& stop, base::Pulse& pulse)
{
    base::Wakeup never;
    auto backoff = kBackoffFirst;
    while (!stop.stop_requested()) {
        pulse.beat();
        const auto heard = runOnce(kPatience);
        if (heard) {
            backoff = kBackoffFirst;
            continue;
        }
        base::logWarning("not listening", {{"error", heard.error().message}});
        (void)never.waitFor(backoff, stop);
        backoff = std::min(backoff * 2, kBackoffMost);
    }
}

} // namespace dispatch
