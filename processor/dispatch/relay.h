// Relay: copies the log into the stream, number by number; the only writer of the stream.
#pragma once

#include "processor/base/alert.h"
#include "processor/base/limits.h"
#include "processor/base/metrics.h"
#include "processor/base/progress.h"
#include "processor/base/result.h"
#include "processor/base/wakeup.h"
#include "processor/dispatch/stream.h"
#include "processor/dispatch/stream_aligner.h"
#include "processor/dispatch/stream_names.h"
#include "processor/dispatch/stream_positions.h"
#include "processor/store/own_connection.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace dispatch {

struct RelayOptions
{
    pg::ConnectOptions database;
    redis::ClientOptions redis;
    std::vector<std::string> groups{kGroups.begin(), kGroups.end()};
    std::int64_t entriesMax = base::kStreamEntriesMax; // stream.max_entries
    std::int64_t trimBlockedEntries = base::kStreamEntriesMax / 10;
    std::chrono::milliseconds pollEvery{250};
    std::chrono::milliseconds upkeepEvery{2'000};
};

struct RelayStep
{
    std::int64_t appended = 0;
    bool isPaused = false; // the stream is full; settlement goes on from the queue
    bool isMisplaced = false; // the stream ends elsewhere: nothing was written, look again
    bool isOvertaken = false; // it ends further on: another relay is at work
};

/// Any number of relays may run at once: the one whose comparison fails has written nothing.
/// Nothing is remembered that could not be read again from the stream's end and the log.
class Relay
{
public:
    Relay(RelayOptions options, base::Alerter& alerter, base::Metrics& metrics);

    /// One batch: reads at most kRelayBatchMax lines of the log and appends them. Error:
    /// Unavailable while a store is away, Conflict when another relay acts, Corrupt when the log
    /// has a gap.
    base::Result<RelayStep> runOnce();

    /// Compares stream and log afresh, stores the groups' positions, trims. Returns the entries
    /// dropped.
    base::Result<std::int64_t> upkeep();

    /// Runs until stopped. `wakeup` shortens the wait when something was committed.
    void run(const std::stop_token& stop, base::Wakeup& wakeup, base::Pulse& pulse);

    /// Last number known to be in the stream; 0 before the first look. Thread-safe.
    [[nodiscard]] std::int64_t lastRelayed() const { return m_lastRelayed.load(); }

private:
    base::Status align(pg::Connection& connection);
    base::Result<std::vector<RelayedLine>> readLines(pg::Connection& connection);
    base::Result<RelayStep> append(const std::vector<RelayedLine>& lines);
    void forget();
    void showLag();
    void noteTrouble(const base::Error& error);
    void noteSuccess();
    base::Result<RelayStep> runRound();

    const RelayOptions m_options;
    base::Alerter& m_alerter;
    store::OwnConnection m_database;
    Stream m_stream;
    StreamAligner m_aligner;
    StreamPositions m_positions;
    base::Counter m_relayed;
    base::Gauge m_lag;

    std::optional<Alignment> m_alignment; // empty: look before the next append
    std::int64_t m_length = 0;
    std::atomic<std::int64_t> m_lastRelayed{0};

    using Clock = std::chrono::steady_clock;
    Clock::time_point m_nextUpkeep{};
    std::optional<Clock::time_point> m_troubledSince;
};

} // namespace dispatch
