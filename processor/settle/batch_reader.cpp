#include "processor/settle/batch_reader.h"

#include "processor/settle/references.h"
#include "sql/settle.h"

#include <algorithm>
#include <utility>

namespace settle {
namespace {

using base::Result;
using base::Status;
using domain::Amount;

// Lower numbers may commit later and waiting events come back, so the bounds lie far outside.
constexpr std::int64_t kMargin = 1'000'000;

// Columns of settle_take_events.
enum Column {
    kNo,
    kUser,
    kAttempts,
    kTries,
    kEventId,
    kType,
    kAsset,
    kAmount,
    kMerchant,
    kTrace,
    kOriginal,
    kEnded,
    kHasTx,
    kOverdue,
    kBehind
};

Work workOf(const pg::Rows& rows, int row)
{
    return Work{domain::EventNo{rows.bigint(row, kNo)}, domain::UserId{rows.bigint(row, kUser)},
        static_cast<int>(rows.bigint(row, kAttempts)), static_cast<int>(rows.bigint(row, kTries))};
}

Result<domain::Candidate> candidateOf(const pg::Rows& rows, int row)
{
    const auto amount = Amount::fromNumeric(rows.text(row, kAmount));
    if (!amount) return amount.error();
    domain::Candidate candidate{domain::Event{.no = domain::EventNo{rows.bigint(row, kNo)},
        .eventId = std::string{rows.text(row, kEventId)},
        .typeText = std::string{rows.text(row, kType)},
        .user = domain::UserId{rows.bigint(row, kUser)},
        .asset = std::string{rows.text(row, kAsset)},
        .amount = *amount,
        .merchant = rows.textOrNull(row, kMerchant),
        .originalEventId = rows.textOrNull(row, kOriginal),
        .traceId = std::string{rows.text(row, kTrace)}}};
    candidate.ended = rows.boolean(row, kEnded);
    candidate.originalOverdue = rows.boolean(row, kOverdue);
    return candidate;
}

// Fills batch, work and orphans; `withTx` gets the events that name a transaction.
Status takeEvents(const pg::Rows& rows, Reading& reading, std::vector<domain::EventNo>& withTx)
{
    for (int row = 0; row < rows.size(); ++row) {
        const Work work = workOf(rows, row);
        if (rows.isNull(row, kEventId)) {
            reading.orphans.push_back(work);
            continue;
        }
        auto candidate = candidateOf(rows, row);
        if (!candidate) return candidate.error();
        if (const auto behind = rows.bigintOrNull(row, kBehind)) {
            reading.batch.holds.push_back({candidate->event.account(), domain::EventNo{*behind}});
        }
        if (rows.boolean(row, kHasTx)) withTx.push_back(work.no);
        reading.batch.candidates.push_back(std::move(*candidate));
        reading.work.push_back(work);
    }
    return base::Done{};
}

Status takeAccounts(const pg::Rows& rows, domain::Batch& batch)
{
    std::vector<std::int64_t> vanished;
    for (int row = 0; row < rows.size(); ++row) {
        const domain::AccountId id{
            domain::UserId{rows.bigint(row, 0)}, std::string{rows.text(row, 1)}};
        if (!rows.boolean(row, 5)) {
            vanished.push_back(id.user.value());
            continue;
        }
        const auto balance = Amount::fromNumeric(rows.text(row, 2));
        if (!balance) return balance.error();
        const auto debt = Amount::fromNumeric(rows.text(row, 3));
        if (!debt) return debt.error();
        batch.accounts.push_back({id, *balance, *debt, rows.bigint(row, 4)});
    }
    if (vanished.empty()) return base::Done{};
    std::sort(vanished.begin(), vanished.end());
    for (domain::Candidate& candidate : batch.candidates) {
        candidate.userVanished
            = std::binary_search(vanished.begin(), vanished.end(), candidate.event.user.value());
    }
    return base::Done{};
}

pg::Params selectionParams(const Selection& selection, std::int64_t lowest, std::int64_t highest)
{
    std::vector<std::int64_t> users;
    std::vector<std::string> assets;
    for (const domain::AccountId& account : selection.aside) {
        users.push_back(account.user.value());
        assets.push_back(account.asset);
    }
    const auto only = selection.only ? std::optional{selection.only->value()} : std::nullopt;
    pg::Params params;
    params.bigint(lowest)
        .bigint(highest)
        .integer(selection.most)
        .bigint(only)
        .bigintArray(users)
        .textArray(assets);
    return params;
}

} // namespace

// Only what can be compared: "1.2.0" of "1.2.0-rc1".
BatchReader::BatchReader(const std::string& version)
    : m_version{version.substr(0, version.find_first_not_of("0123456789."))}
{
    if (m_version.empty()) m_version = "0";
}

Result<Reading> BatchReader::read(pg::Transaction& transaction, const Selection& selection)
{
    auto reading = readOnce(transaction, selection);
    const bool isBounded = m_lowest > 0 || m_highest < kNoBound;
    if (reading && !reading->orphans.empty() && isBounded) {
        m_lowest = 0;
        m_highest = kNoBound;
        reading = readOnce(transaction, selection);
    }
    if (reading && !reading->work.empty() && !selection.only) remember(*reading);
    return reading;
}

void BatchReader::remember(const Reading& reading)
{
    m_lowest = std::max<std::int64_t>(0, reading.work.front().no.value() - kMargin);
    const std::int64_t last = reading.work.back().no.value();
    m_highest = last < kNoBound - 2 * kMargin ? last + 2 * kMargin : kNoBound;
}

Result<Reading> BatchReader::readOnce(
    pg::Transaction& transaction, const Selection& selection) const
{
    CHECK(selection.lanes > 0 && selection.most > 0);
    pg::Params lanes;
    lanes.integer(selection.laneStart % domain::kLaneCount).integer(selection.lanes);
    transaction.add(sql::kSettleTakeLanes, std::move(lanes));
    transaction.add(sql::kSettleTakeEvents, selectionParams(selection, m_lowest, m_highest));
    transaction.add(sql::kSettleLockAccounts);
    const auto answers = transaction.send();
    if (!answers) return answers.error();

    Reading reading;
    std::vector<domain::EventNo> withTx;
    if (const auto taken = takeEvents((*answers)[1], reading, withTx); !taken) {
        return taken.error();
    }
    if (const auto taken = takeAccounts((*answers)[2], reading.batch); !taken) {
        return taken.error();
    }
    const bool isLone = selection.only.has_value();
    const auto more = readReferences(transaction, m_version, withTx, isLone, reading);
    if (!more) return more.error();
    return reading;
}

} // namespace settle
