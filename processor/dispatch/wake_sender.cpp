#include "processor/dispatch/wake_sender.h"

#include "processor/base/log.h"
#include "sql/wake.h"

#include <chrono>
#include <utility>

namespace dispatch {
namespace {

constexpr std::chrono::milliseconds kApart{5};
constexpr std::chrono::milliseconds kRound{1'000};
constexpr std::chrono::milliseconds kBackoff{1'000};

} // namespace

WakeSender::WakeSender(pg::ConnectOptions database) : m_database{std::move(database)} {}

void WakeSender::wakeOthers()
{
    if (m_hasOthers.load()) m_asked.notify();
}

base::Status WakeSender::runOnce()
{
    const auto connection = m_database.get();
    if (!connection) return connection.error();
    if (const auto sent = (*connection)->run(sql::kWakeSend); !sent) return sent.error();
    return base::Done{};
}

void WakeSender::run(const std::stop_token& stop, base::Pulse& pulse)
{
    base::Wakeup never;
    while (!stop.stop_requested()) {
        pulse.beat();
        if (!m_asked.waitFor(kRound, stop)) continue;
        if (const auto sent = runOnce(); !sent) {
            base::logWarning("others are not woken", {{"error", sent.error().message}});
            (void)never.waitFor(kBackoff, stop);
        }
        (void)never.waitFor(kApart, stop);
    }
}

} // namespace dispatch
