#include "processor/store/payment_log.h"

#include "sql/payment_log.h"

#include <utility>
#include <vector>

namespace store {

void PaymentLog::appendTo(pg::Transaction& transaction, std::span<const LogEntry> entries) const
{
    CHECK(!entries.empty());

    std::vector<std::int64_t> eventNos;
    std::vector<std::int64_t> userIds;
    std::vector<std::string> kinds, traceIds, paymentIds, eventTypes, assets, amounts;
    std::vector<std::optional<std::string>> merchantIds, details;
    for (const LogEntry& entry : entries) {
        eventNos.push_back(entry.eventNo);
        userIds.push_back(entry.userId);
        kinds.push_back(entry.kind);
        traceIds.push_back(entry.traceId);
        paymentIds.push_back(entry.paymentId);
        eventTypes.push_back(entry.eventType);
        assets.push_back(entry.asset);
        amounts.push_back(entry.amount);
        merchantIds.push_back(entry.merchantId);
        details.push_back(entry.detail);
    }

    pg::Params params;
    params.bigint(m_lastKnown.load())
        .text(m_actor)
        .bigintArray(eventNos)
        .textArray(kinds)
        .textArray(traceIds)
        .textArray(paymentIds)
        .textArray(eventTypes)
        .bigintArray(userIds)
        .textArray(merchantIds)
        .textArray(assets)
        .textArray(amounts)
        .textArray(details);
    transaction.add(sql::kLogTailLock);
    transaction.add(sql::kLogAppend, std::move(params));
}

std::int64_t PaymentLog::committed(const pg::Rows& appended, std::size_t entries)
{
    CHECK(appended.size() == 1);
    CHECK(appended.bigint(0, 1) == static_cast<std::int64_t>(entries));
    const std::int64_t last = appended.bigint(0, 0);
    // After a restore the log may stand below what was known: the newest commit decides. A slower
    // thread may store an older number; that only widens the next look, it never makes a gap.
    m_lastKnown.store(last);
    return last;
}

} // namespace store
