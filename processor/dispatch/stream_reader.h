// StreamReader: the group balance_updaters; acknowledges what the work rows have ended.
#pragma once

#include "processor/base/limits.h"
#include "processor/base/metrics.h"
#include "processor/base/progress.h"
#include "processor/base/result.h"
#include "processor/dispatch/consumer_group.h"
#include "processor/dispatch/stream_names.h"
#include "processor/store/own_connection.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace dispatch {

/// An entry that was delivered several times: whoever works on its event may have died of it.
struct SuspectEntry
{
    std::int64_t eventNo;
    std::int64_t deliveries;
};

struct ReaderOptions
{
    pg::ConnectOptions database;
    redis::ClientOptions redis; // the reader's connection is its own, because it blocks
    std::string consumer; // InstanceIdentity::instance
    std::string group{kBalanceUpdaters};
    std::chrono::milliseconds block = base::kStreamBlock;
    std::chrono::milliseconds claimAfter = base::kStreamIdleClaim;
    /// Called when entries of kind payment.enqueued arrived (--settle-from=stream). On the reader's
    /// thread; must not block.
    std::function<void()> onEnqueued = {};
    /// Called with entries taken over that were delivered kSuspectDeliveries times or more.
    std::function<void(std::span<const SuspectEntry>)> onSuspects = {};
};

inline constexpr std::int64_t kSuspectDeliveries = 3;

/// The work row decides, the stream follows: an entry is acknowledged once its event has ended or
/// waits, that is, has no row in event_queue. Entries of other kinds are acknowledged unread. What
/// is not ended is kept and asked about again.
class StreamReader
{
public:
    StreamReader(ReaderOptions options, base::Metrics& metrics);

    /// One round: reads (blocking for a while), asks, acknowledges; now and then takes over what
    /// dead consumers hold. Returns the entries acknowledged. Error code "NOGROUP": the relay has
    /// to build the stream first.
    base::Result<std::int64_t> runOnce(const std::stop_token& stop);
    /// Runs until stopped; what it still holds then is taken over by another one.
    void run(const std::stop_token& stop, base::Pulse& pulse);

    /// Entries delivered to this consumer whose events have not ended.
    [[nodiscard]] std::size_t held() const { return m_held.size(); }

private:
    base::Result<std::int64_t> runRound(const std::stop_token& stop);
    base::Status listHeld();
    base::Status takeOver();
    base::Status keepHeld();
    base::Result<std::vector<DeliveredEntry>> readNew(const std::stop_token& stop);
    base::Result<std::vector<DeliveredEntry>> readInterruptibly(const std::stop_token& stop);
    base::Status sort(std::vector<DeliveredEntry> entries);
    base::Result<std::int64_t> askAndAcknowledge();
    base::Result<std::vector<std::int64_t>> endedOf(const std::vector<std::int64_t>& numbers);
    base::Status tellSuspects(const std::vector<DeliveredEntry>& claimed);
    base::Status acknowledge(const std::vector<std::string>& ids);

    using Clock = std::chrono::steady_clock;

    const ReaderOptions m_options;
    store::OwnConnection m_database;
    ConsumerGroup m_group;
    base::Counter m_acknowledged;
    std::set<std::int64_t> m_held; // numbers whose events have not ended, as last asked
    std::int64_t m_askedUpTo = 0; // so that each of them gets its turn
    std::chrono::milliseconds m_patience; // until asked again, while something is held
    bool m_mustList = true; // an answer was lost: entries may be ours without our knowing
    Clock::time_point m_nextClaim{};
    Clock::time_point m_nextKeep{};
    std::atomic<bool> m_isBlocked{false};
};

} // namespace dispatch
