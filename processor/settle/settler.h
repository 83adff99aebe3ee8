// Settler: one worker that turns queue rows into balances, batch by batch, until told to stop.
#pragma once

#include "processor/base/alert.h"
#include "processor/base/metrics.h"
#include "processor/base/progress.h"
#include "processor/base/wakeup.h"
#include "processor/settle/batch_reader.h"
#include "processor/settle/batch_size.h"
#include "processor/settle/batch_writer.h"
#include "processor/settle/lone_event.h"
#include "processor/settle/orphans.h"
#include "processor/settle/remedy.h"
#include "processor/settle/report.h"
#include "processor/settle/set_aside.h"
#include "processor/settle/settle_metrics.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>

namespace settle {

/// What a settler uses. References outlive it.
struct SettlerParts
{
    pg::ConnectOptions database;
    store::PaymentLog& log;
    base::Alerter& alerter;
    base::Wakeup& wakeup; // its own; notified when there is work
    base::Metrics& metrics;
    std::function<int()> liveSettlers; // of all processes; it takes its share of the lanes
    /// Called after each commit with the events whose work rows are gone: wakes the relay and lets
    /// stream entries be acknowledged.
    std::function<void(std::span<const domain::EventNo>)> onSettled = {};
    LetterRefused onLetterRefused = {};
    std::string version = "0"; // of this program, numbers and dots
    int laneStart = 0; // different for settlers that start together
    int batchMost = static_cast<int>(base::kSettleBatchMax);
    std::chrono::milliseconds pollEvery{1'000}; // the longest wait when nobody wakes it
    bool careful = false; // the last run of this host ended unclean
    /// Waiting for locks is no failure, but when it goes on for so long people are told.
    std::chrono::milliseconds sayBlockedAfter = std::chrono::seconds{30};
};

/// One thread's; only beCareful() may be called by others.
class Settler
{
public:
    explicit Settler(SettlerParts parts);

    /// One batch, or one step of what a failed batch left to do.
    Report runOnce();

    /// Woken or polling; loops at once while there is work. Returns when stop is requested,
    /// after the batch it is at. `pulse` beats once a round.
    void run(const std::stop_token& stop, base::Pulse* pulse = nullptr);

    /// What stands in the queue now is settled one by one, and each try is committed before it
    /// begins: only so can an event be convicted of ending its worker. Thread-safe.
    void beCareful() { m_carefulAsked.store(true); }

private:
    using Clock = std::chrono::steady_clock;
    struct Suspect
    {
        Work work;
        domain::AccountId account;
    };
    struct Round
    {
        Reading reading = {};
        domain::Decision decision = {};
        std::optional<base::Error> error = {};
        Stage stage = Stage::Read;
        int lanes = domain::kLaneCount; // asked for
        std::optional<Suspect> convict = {}; // nothing was settled: this one has to be failed first
    };

    base::Status connect();
    Selection nextSelection();
    Report settleNext(const Selection& selection);
    Report settleCarefully();
    void beginCare(Report& report);
    [[nodiscard]] bool isSuspicious(const Reading& reading, const Selection& selection) const;
    Round settleBatch(const Selection& selection, Report& report);
    void settled(const Round& round, Report& report);
    bool putAside(const Round& round); // whether an account is new there
    void putCulpritAside(const Round& round, std::chrono::milliseconds pause);
    bool mayFindMore(bool isEmpty, int lanes);
    void failed(const Round& round, Report& report);
    void failedAlone(const Work& work, const base::Error& error, Report& report);
    void judgeOneByOne(const Reading& reading, Report& report);
    void conclude(const base::Result<LoneResult>& result, const Work& work, Report& report);
    std::optional<Suspect> beginTry(Selection selection, Report& report);
    bool endTry(domain::EventNo no);
    static std::optional<Suspect> convictIn(const Reading& reading);
    void convict(const Suspect& suspect, Report& report);
    void sayBlocked(const base::Error& error);
    void page(const base::Error& error, Report& report);
    [[nodiscard]] std::chrono::nanoseconds pause(const Report& report);

    SettlerParts m_parts;
    std::optional<pg::Connection> m_connection;
    BatchReader m_reader;
    BatchWriter m_writer;
    LoneEvent m_lone;
    SettleMetrics m_metrics;
    BatchSize m_size;
    SetAside m_aside;
    int m_laneStart;
    int m_emptyLanes = 0; // asked for in a row without finding work
    int m_carefulLeft = 0; // tries
    domain::EventNo m_carefulUpTo{0}; // what stood in the queue when care began
    Clock::time_point m_carefulUntil{};
    std::optional<domain::EventNo> m_openTry; // begun, perhaps counted, and survived by us
    std::optional<Clock::time_point> m_blockedSince; // since then batches met locks …
    Clock::time_point m_blockedLast{}; // … the last time then
    int m_failuresInRow = 0; // of the server, for the back-off
    std::atomic<bool> m_carefulAsked;
};

} // namespace settle
