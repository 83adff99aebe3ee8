#include "processor/watch/recovery.h"

#include "processor/domain/lane.h"
#include "processor/domain/log_kind.h"
#include "sql/recovery.h"

#include <algorithm>
#include <set>
#include <utility>

namespace watch {
namespace {

using base::Result;

constexpr int kPage = 1'000; // rows of event_waits in one look, the LIMIT in the statement
constexpr std::size_t kNamedMax = 20; // in an alert
constexpr std::size_t kBatch = base::kRecoveryBatchMax;
static_assert(kBatch == 50, "the LIMIT in the statements");

template <class Works>
std::vector<std::int64_t> numbersOf(const Works& works)
{
    std::vector<std::int64_t> numbers;
    for (const auto& work : works) numbers.push_back(work.no);
    return numbers;
}

/// First in each transaction: the lease, then the lanes of the work, sorted.
template <class Works>
base::Status lockLanes(pg::Transaction& transaction, store::JobLease& lease, const Works& works)
{
    std::set<std::int16_t> lanes;
    for (const auto& work : works) {
        const auto lane = domain::laneOf(domain::UserId{work.user});
        lanes.insert(static_cast<std::int16_t>(lane.value()));
    }
    const std::vector<std::int16_t> sorted{lanes.begin(), lanes.end()};
    lease.addCheck(transaction);
    transaction.add(sql::kRecoveryLockLanes, std::move(pg::Params{}.smallintArray(sorted)));
    const auto locked = transaction.send();
    if (!locked) return locked.error();
    return store::JobLease::checked(locked->front());
}

} // namespace

std::string RecoveryReport::text() const
{
    if (removed == 0 && putBack == 0) return {};
    return "work rows removed " + std::to_string(removed) + ", events put back "
        + std::to_string(putBack);
}

Recovery::Recovery(
    RecoveryOptions options, store::PaymentLog& log, base::Alerter& alerter, base::Metrics& metrics)
    : m_options{std::move(options)}
    , m_log{log}
    , m_alerter{alerter}
    , m_removed{metrics.counter(
          "countersign_recovered_total", "What recovery repaired.", {{"kind", "work_row_removed"}})}
    , m_putBack{metrics.counter(
          "countersign_recovered_total", "What recovery repaired.", {{"kind", "event_put_back"}})}
{}

Result<RecoveryReport> Recovery::run(store::JobLease& lease)
{
    RecoveryReport report;
    for (const auto removing : {&Recovery::removeFromQueue, &Recovery::removeFromWaits}) {
        const auto removed = (this->*removing)(lease);
        if (!removed) return removed.error();
        report.removed += *removed;
    }
    const auto rows = lease.connection().run(sql::kRecoveryBounds);
    if (!rows) return rows.error();
    const Bounds bounds{rows->bigint(0, 0), rows->bigint(0, 1)};

    std::int64_t reached = 0;
    const std::int64_t recent = std::max(bounds.first - 1, bounds.last - m_options.recent);
    auto putBack = putBackBetween(lease, recent, bounds.last, reached);
    if (!putBack) return putBack.error();
    report.putBack += *putBack;

    std::int64_t from = std::max(lease.walkedTo(), bounds.first - 1);
    if (from >= bounds.last) from = bounds.first - 1; // once round
    putBack = putBackBetween(lease, from, std::min(from + m_options.walk, bounds.last), reached);
    if (!putBack) return putBack.error();
    report.putBack += *putBack;
    lease.walkTo(reached);
    return report;
}

Result<std::int64_t> Recovery::removeFromQueue(store::JobLease& lease)
{
    const auto rows = lease.connection().run(sql::kRecoveryEndedQueue);
    if (!rows) return rows.error();
    std::vector<Work> ended;
    for (int row = 0; row < rows->size(); ++row) {
        ended.push_back({rows->bigint(row, 0), rows->bigint(row, 1)});
    }
    return remove(lease, sql::kRecoveryRemoveQueue, ended);
}

Result<std::int64_t> Recovery::removeFromWaits(store::JobLease& lease)
{
    const auto rows
        = lease.connection().run(sql::kRecoveryEndedWaits, pg::Params{}.bigint(m_waitsFrom));
    if (!rows) return rows.error();
    std::vector<Work> ended;
    for (int row = 0; row < rows->size() && ended.size() < kBatch; ++row) {
        if (rows->boolean(row, 2)) ended.push_back({rows->bigint(row, 0), rows->bigint(row, 1)});
    }
    const auto removed = remove(lease, sql::kRecoveryRemoveWaits, ended);
    if (!removed) return removed;
    const bool hasMore = ended.size() == kBatch; // the page is looked at again
    if (!hasMore) m_waitsFrom = rows->empty() ? 0 : rows->bigint(rows->size() - 1, 0);
    return removed;
}

Result<std::int64_t> Recovery::remove(
    store::JobLease& lease, const pg::Statement& statement, const std::vector<Work>& work)
{
    if (work.empty()) return std::int64_t{0};
    pg::Transaction transaction{lease.connection()};
    if (const auto locked = lockLanes(transaction, lease, work); !locked) return locked.error();
    transaction.add(statement, std::move(pg::Params{}.bigintArray(numbersOf(work))));
    const auto done = transaction.commit();
    if (!done) return done.error();
    m_removed.add(done->front().size());
    return std::int64_t{done->front().size()};
}

// `reached` is how far the events are looked through: up to the last one found when there may be
// more.
Result<std::int64_t> Recovery::putBackBetween(
    store::JobLease& lease, std::int64_t after, std::int64_t upTo, std::int64_t& reached)
{
    reached = upTo;
    if (upTo <= after) return std::int64_t{0};
    const auto rows
        = lease.connection().run(sql::kRecoveryLost, pg::Params{}.bigint(after).bigint(upTo));
    if (!rows) return rows.error();
    if (rows->empty()) return std::int64_t{0};
    std::vector<Work> lost;
    for (int row = 0; row < rows->size(); ++row) {
        lost.push_back({rows->bigint(row, 0), rows->bigint(row, 1)});
    }
    if (lost.size() == kBatch) reached = lost.back().no;
    return putBack(lease, lost);
}

Result<std::int64_t> Recovery::putBack(store::JobLease& lease, const std::vector<Work>& lost)
{
    pg::Transaction transaction{lease.connection()};
    if (const auto locked = lockLanes(transaction, lease, lost); !locked) return locked.error();
    std::int64_t count = 0;
    const auto entries = writeWork(transaction, lost, count);
    if (!entries) return entries.error();
    if (!entries->empty()) m_log.appendTo(transaction, *entries);
    const auto done = transaction.commit();
    if (!done) return done.error();
    if (!entries->empty()) {
        m_log.committed(done->back(), entries->size());
        if (m_options.onWork) m_options.onWork();
    }
    if (count > 0) tell(lost, count);
    return count;
}

// The lines of the log for those that are work again at once; `count` has those that wait, too.
Result<std::vector<store::LogEntry>> Recovery::writeWork(
    pg::Transaction& transaction, const std::vector<Work>& lost, std::int64_t& count)
{
    pg::Params params;
    params.bigintArray(numbersOf(lost)).bigint(lost.front().no).bigint(lost.back().no);
    transaction.add(sql::kRecoveryPutBack, std::move(params));
    const auto written = transaction.send();
    if (!written) return written.error();
    const pg::Rows& rows = written->front();
    count = rows.size();
    std::vector<store::LogEntry> entries;
    for (int row = 0; row < rows.size(); ++row) {
        if (rows.boolean(row, 8)) continue;
        entries.push_back({.eventNo = rows.bigint(row, 0),
            .kind = std::string{domain::toText(domain::LogKind::Enqueued)},
            .traceId = std::string{rows.text(row, 7)},
            .paymentId = std::string{rows.text(row, 2)},
            .eventType = std::string{rows.text(row, 3)},
            .userId = rows.bigint(row, 1),
            .merchantId = rows.textOrNull(row, 4),
            .asset = std::string{rows.text(row, 5)},
            .amount = std::string{rows.text(row, 6)},
            .detail = R"({"recovered":true})"});
    }
    return entries;
}

void Recovery::tell(const std::vector<Work>& lost, std::int64_t count)
{
    m_putBack.add(count);
    std::string names;
    for (std::size_t i = 0; i < std::min(lost.size(), kNamedMax); ++i) {
        names += (names.empty() ? "" : ", ") + std::to_string(lost[i].no);
    }
    m_alerter.raise(base::AlertLevel::Warning, "events_without_work",
        std::to_string(count)
            + " event(s) had neither an outcome nor a work row and were put back: " + names
            + (lost.size() > kNamedMax ? ", …" : ""));
}

} // namespace watch
