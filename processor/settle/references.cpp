#include "processor/settle/references.h"

#include "processor/crypto/sha256.h"
#include "processor/domain/idempotency_key.h"
#include "processor/settle/event_numbers.h"
#include "sql/settle.h"

#include <algorithm>
#include <set>
#include <utility>

namespace settle {
namespace {

using base::Done;
using base::Status;
using domain::Amount;
using domain::EventNo;

/// What is asked, and where in the answers it stands.
struct Questions
{
    std::vector<pg::Bytes> originals; // idempotency keys
    std::vector<EventNo> ended;
    std::vector<EventNo> unknown;
};

pg::Bytes depositKey(const std::string& eventId)
{
    const auto digest = crypto::sha256(
        domain::idempotencyKeyBytes(eventId, domain::toText(domain::EventType::Deposit)));
    return pg::Bytes{digest.begin(), digest.end()};
}

Questions questionsOf(const Reading& reading)
{
    Questions questions;
    for (const domain::Candidate& candidate : reading.batch.candidates) {
        if (candidate.ended) {
            questions.ended.push_back(candidate.event.no);
        } else if (!candidate.event.type()) {
            questions.unknown.push_back(candidate.event.no);
        } else if (candidate.event.originalEventId) {
            questions.originals.push_back(depositKey(*candidate.event.originalEventId));
        }
    }
    return questions;
}

Status takeOriginals(const pg::Rows& rows, Reading& reading)
{
    for (int row = 0; row < rows.size(); ++row) {
        const auto amount = Amount::fromNumeric(rows.text(row, 4));
        if (!amount) return amount.error();
        const auto refunded = Amount::fromNumeric(rows.text(row, 7));
        if (!refunded) return refunded.error();
        const auto outcome = rows.textOrNull(row, 6);
        auto state = domain::OriginalState::Unsettled;
        if (outcome) {
            const bool stands = *outcome == "confirmed" && rows.bigint(row, 8) <= 0;
            state = stands ? domain::OriginalState::Confirmed : domain::OriginalState::Gone;
        }
        std::string eventId{rows.text(row, 1)};
        reading.originals.emplace(eventId, EventNo{rows.bigint(row, 0)});
        reading.batch.originals.push_back({std::move(eventId), domain::UserId{rows.bigint(row, 2)},
            std::string{rows.text(row, 3)}, *amount, rows.textOrNull(row, 5), state, *refunded});
    }
    return Done{};
}

ClaimKey claimKeyOf(const pg::Rows& rows, int row, int first)
{
    return ClaimKey{std::string{rows.text(row, first)}, std::string{rows.text(row, first + 1)},
        std::string{rows.text(row, first + 2)}, std::string{rows.text(row, first + 3)}};
}

/// Gives each candidate the transfers it may claim. One whose transfer is locked by somebody else
/// is held back for now, and with it the later events of its account.
void takeClaims(const pg::Rows& locked, const pg::Rows& rows, Reading& reading)
{
    std::set<ClaimKey> ours;
    for (int row = 0; row < locked.size(); ++row) ours.insert(claimKeyOf(locked, row, 0));

    std::map<ClaimKey, std::size_t> places;
    auto candidate = reading.batch.candidates.begin();
    for (int row = 0; row < rows.size(); ++row) {
        const EventNo no{rows.bigint(row, 0)};
        candidate = std::find_if(candidate, reading.batch.candidates.end(),
            [&](const domain::Candidate& one) { return one.event.no == no; });
        CHECK(candidate != reading.batch.candidates.end());
        const ClaimKey key = claimKeyOf(rows, row, 1);
        if (rows.boolean(row, 6) && !ours.contains(key)) {
            reading.batch.holds.push_back({candidate->event.account(), EventNo{no.value() - 1}});
        }
        const auto [place, isNew] = places.emplace(key, reading.claims.size());
        if (isNew) {
            reading.claims.push_back(key);
            const auto holder = rows.bigintOrNull(row, 5);
            reading.batch.claims.push_back(
                {holder ? std::optional{EventNo{*holder}} : std::nullopt});
        }
        candidate->claims.push_back(place->second);
    }
}

/// Takes contradicting events out of the batch: they are judged one by one.
void takeContradictions(const pg::Rows& rows, Reading& reading)
{
    std::set<EventNo> numbers;
    for (int row = 0; row < rows.size(); ++row) numbers.insert(EventNo{rows.bigint(row, 0)});
    if (numbers.empty()) return;
    std::erase_if(reading.batch.candidates,
        [&](const domain::Candidate& one) { return numbers.contains(one.event.no); });
    for (const Work& work : reading.work) {
        if (numbers.contains(work.no)) reading.contradictions.push_back(work);
    }
    std::erase_if(reading.work, [&](const Work& work) { return numbers.contains(work.no); });
}

void takeUnknown(const pg::Rows& rows, const std::vector<EventNo>& unknown, Reading& reading)
{
    if (!rows.boolean(0, 0)) return; // nobody knows them: they fail at once
    reading.batch.unknownTypes = domain::UnknownTypes::LeaveAlone;
    for (const domain::Candidate& candidate : reading.batch.candidates) {
        const bool isUnknown
            = std::binary_search(unknown.begin(), unknown.end(), candidate.event.no);
        if (isUnknown && candidate.originalOverdue) {
            reading.overdueUnknown.push_back(candidate.event.no);
        }
    }
}

} // namespace

Status readReferences(pg::Transaction& transaction, const std::string& version,
    const std::vector<EventNo>& withTx, bool isLone, Reading& reading)
{
    const Questions questions = questionsOf(reading);
    if (!questions.originals.empty()) {
        transaction.add(
            sql::kSettleReadOriginals, std::move(pg::Params{}.byteaArray(questions.originals)));
    }
    if (!withTx.empty()) {
        transaction.add(sql::kSettleLockClaims, boundedNumbers(withTx));
        transaction.add(sql::kSettleReadClaims, boundedNumbers(withTx));
    }
    if (!questions.unknown.empty()) {
        transaction.add(sql::kSettleNewerInstance, std::move(pg::Params{}.text(version)));
    }
    const bool asksEnded = !questions.ended.empty() && !isLone;
    if (asksEnded) {
        transaction.add(sql::kSettleContradictions, boundedNumbers(questions.ended));
    }
    const auto answers = transaction.send(); // nothing queued: no round trip
    if (!answers) return answers.error();

    auto answer = answers->begin();
    if (!questions.originals.empty()) {
        if (const auto taken = takeOriginals(*answer++, reading); !taken) return taken.error();
    }
    if (!withTx.empty()) {
        takeClaims(answer[0], answer[1], reading);
        answer += 2;
    }
    if (!questions.unknown.empty()) takeUnknown(*answer++, questions.unknown, reading);
    if (asksEnded) takeContradictions(*answer++, reading);
    return Done{};
}

} // namespace settle
