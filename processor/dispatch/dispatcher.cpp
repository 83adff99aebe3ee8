#include "processor/dispatch/dispatcher.h"

#include "processor/base/log.h"
#include "processor/dispatch/backoff.h"
#include "processor/domain/log_kind.h"
#include "processor/pg/transaction.h"
#include "sql/dispatch.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace dispatch {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::seconds kAsideFor{60};
constexpr std::size_t kAsideMax = 1'000;

} // namespace

Dispatcher::Dispatcher(DispatcherOptions options, store::PaymentLog& log, base::Alerter& alerter,
    base::Metrics& metrics)
    : m_options{std::move(options)}
    , m_database{m_options.database}
    , m_log{log}
    , m_alerter{alerter}
    , m_enqueued{metrics.counter("countersign_dispatched_total",
          "Events that waited, were due and became work, by this process.")}
{}

std::vector<std::int64_t> Dispatcher::asideNow()
{
    const auto now = Clock::now();
    std::erase_if(m_aside, [now](const auto& entry) { return entry.second <= now; });
    std::vector<std::int64_t> numbers;
    for (const auto& [number, until] : m_aside) numbers.push_back(number);
    return numbers;
}

base::Result<std::vector<Dispatcher::DueEvent>> Dispatcher::lockDue(pg::Transaction& transaction)
{
    pg::Params params;
    params.bigintArray(asideNow()).bigint(static_cast<std::int64_t>(m_batchMax));
    transaction.add(sql::kDispatchDue, std::move(params));
    const auto sent = transaction.send();
    if (!sent) return sent.error();
    const pg::Rows& rows = sent->back();

    std::vector<DueEvent> due;
    for (int row = 0; row < rows.size(); ++row) {
        const std::int64_t eventNo = rows.bigint(row, 0);
        if (rows.isNull(row, 4)) {
            setAside(eventNo, "it waits, but no such event is there");
            continue;
        }
        due.push_back({
            .eventNo = eventNo,
            .userId = rows.bigint(row, 1),
            .lane = static_cast<std::int16_t>(rows.bigint(row, 2)),
            .attempts = static_cast<std::int16_t>(rows.bigint(row, 3)),
            .logEntry = {
                .eventNo = eventNo,
                .kind = std::string{domain::toText(domain::LogKind::Enqueued)},
                .traceId = std::string{rows.text(row, 9)},
                .paymentId = std::string{rows.text(row, 4)},
                .eventType = std::string{rows.text(row, 5)},
                .userId = rows.bigint(row, 1),
                .merchantId = rows.textOrNull(row, 6),
                .asset = std::string{rows.text(row, 7)},
                .amount = std::string{rows.text(row, 8)},
            },
        });
    }
    return due;
}

base::Result<std::size_t> Dispatcher::move(pg::Transaction& transaction, std::vector<DueEvent> due)
{
    std::vector<std::int64_t> numbers;
    std::vector<std::int64_t> users;
    std::vector<std::int16_t> lanes;
    std::vector<std::int16_t> attempts;
    for (const DueEvent& event : due) {
        numbers.push_back(event.eventNo);
        users.push_back(event.userId);
        lanes.push_back(event.lane);
        attempts.push_back(event.attempts);
    }
    pg::Params ended;
    ended.bigintArray(numbers);
    pg::Params queued;
    queued.bigintArray(numbers).bigintArray(users).smallintArray(lanes).smallintArray(attempts);
    transaction.add(sql::kDispatchEndWaits, std::move(ended))
        .add(sql::kDispatchEnqueue, std::move(queued));
    const auto moved = transaction.send();
    if (!moved) return moved.error();
    // The rows are locked since the first statement: nobody else can have taken one.
    CHECK((*moved)[0].affected() == static_cast<std::int64_t>(due.size()));

    std::unordered_set<std::int64_t> announced;
    const pg::Rows& rows = (*moved)[1];
    for (int row = 0; row < rows.size(); ++row) announced.insert(rows.bigint(row, 0));
    std::vector<store::LogEntry> entries;
    for (DueEvent& event : due) {
        if (announced.contains(event.eventNo)) entries.push_back(std::move(event.logEntry));
    }
    if (!entries.empty()) m_log.appendTo(transaction, entries);
    const auto committed = transaction.commit();
    if (!committed) return committed.error();
    if (!entries.empty()) m_log.committed(committed->back(), entries.size());
    m_enqueued.add(static_cast<std::int64_t>(entries.size()));
    return due.size();
}

base::Result<std::size_t> Dispatcher::runOnce()
{
    const auto connection = m_database.get();
    if (!connection) return connection.error();
    pg::Transaction transaction{**connection};
    auto due = lockDue(transaction);
    if (!due) return due.error();
    if (due->empty()) {
        transaction.rollback();
        return std::size_t{0};
    }
    auto moved = move(transaction, *due);
    if (!moved) {
        judgeFailure(moved.error(), *due);
        return moved;
    }
    m_batchMax = std::min(m_batchMax * 2, base::kEnqueueBatchMax);
    if (m_options.onEnqueued) m_options.onEnqueued();
    return moved;
}

void Dispatcher::judgeFailure(const base::Error& error, const std::vector<DueEvent>& due)
{
    // Somebody was in the way or away, or the commit's answer was lost: the same batch may pass.
    if (error.kind != base::ErrorKind::Invalid && error.kind != base::ErrorKind::Corrupt) return;
    if (due.size() > 1) {
        m_batchMax = std::max<std::size_t>(due.size() / 2, 1);
        return;
    }
    setAside(due.front().eventNo, error.message);
    m_batchMax = base::kEnqueueBatchMax;
}

void Dispatcher::setAside(std::int64_t eventNo, const std::string& reason)
{
    m_alerter.raise(base::AlertLevel::Warning, "dispatch_failed:" + std::to_string(eventNo),
        "event " + std::to_string(eventNo) + " is due and cannot be enqueued: " + reason);
    if (m_aside.size() < kAsideMax) m_aside.emplace(eventNo, Clock::now() + kAsideFor);
}

void Dispatcher::run(const std::stop_token& stop, base::Wakeup& wakeup, base::Pulse& pulse)
{
    base::Wakeup never;
    auto backoff = kBackoffFirst;
    while (!stop.stop_requested()) {
        pulse.beat();
        const auto moved = runOnce();
        if (!moved) {
            base::logWarning("dispatch waits", {{"error", moved.error().message}});
            (void)never.waitFor(backoff, stop);
            backoff = std::min(backoff * 2, kBackoffMost);
            continue;
        }
        backoff = kBackoffFirst;
        if (*moved > 0) continue; // what came due meanwhile goes at once
        (void)wakeup.waitFor(m_options.pollEvery, stop);
    }
}

} // namespace dispatch
