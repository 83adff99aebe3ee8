#include "processor/settle/batch_writer.h"

#include "processor/base/json_writer.h"
#include "processor/crypto/sha256.h"
#include "processor/domain/idempotency_key.h"
#include "processor/settle/event_numbers.h"
#include "sql/settle.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace settle {
namespace {

using domain::Decision;
using domain::Ending;
using domain::EventNo;
using domain::Failure;

const domain::Event& eventOf(const Reading& reading, EventNo no)
{
    const auto& candidates = reading.batch.candidates;
    const auto found = std::lower_bound(candidates.begin(), candidates.end(), no,
        [](const domain::Candidate& candidate, EventNo wanted) {
            return candidate.event.no < wanted;
        });
    CHECK(found != candidates.end() && found->event.no == no);
    return found->event;
}

void writeClaims(CountedWrites& writes, const Reading& reading, const Decision& decision)
{
    std::map<ClaimKey, const domain::Event*> taken; // sorted: the order in which rows are locked
    for (const domain::Outcome& outcome : decision.outcomes) {
        if (!outcome.claim) continue;
        taken.emplace(reading.claims[*outcome.claim], &eventOf(reading, outcome.no));
    }
    if (taken.empty()) return;
    std::vector<std::string> chains, hashes, ordinals, sides, amounts;
    std::vector<std::int64_t> numbers;
    for (const auto& [key, event] : taken) {
        chains.push_back(key.chain);
        hashes.push_back(key.txHash);
        ordinals.push_back(key.ordinal);
        sides.push_back(key.side);
        numbers.push_back(event->no.value());
        amounts.push_back(event->amount.toText());
    }
    pg::Params params;
    params.textArray(chains).textArray(hashes).textArray(ordinals).textArray(sides);
    params.bigintArray(numbers).textArray(amounts);
    writes.add(sql::kSettleWriteClaims, std::move(params), taken.size());
}

void writeMerchants(CountedWrites& writes, const Decision& decision)
{
    if (decision.merchants.empty()) return;
    std::vector<std::string> merchants, assets, amounts;
    for (const domain::MerchantMovement& movement : decision.merchants) {
        merchants.push_back(movement.merchant);
        assets.push_back(movement.asset);
        amounts.push_back(movement.amount.toText());
    }
    pg::Params params;
    params.textArray(merchants).textArray(assets).textArray(amounts);
    writes.add(sql::kSettleAddToMerchants, std::move(params), merchants.size());
}

void writeBalances(CountedWrites& writes, const Decision& decision)
{
    if (decision.accounts.empty()) return;
    std::vector<std::int64_t> users, versions;
    std::vector<std::string> assets, balances, debts;
    for (const domain::Account& account : decision.accounts) {
        users.push_back(account.id.user.value());
        assets.push_back(account.id.asset);
        balances.push_back(account.balance.toText());
        debts.push_back(account.debt.toText());
        versions.push_back(account.version);
    }
    pg::Params params;
    params.bigintArray(users).textArray(assets).textArray(balances).textArray(debts);
    params.bigintArray(versions);
    writes.add(sql::kSettleWriteBalances, std::move(params), users.size());
}

void writeJournal(CountedWrites& writes, const Decision& decision)
{
    if (decision.postings.empty()) return;
    std::vector<std::int64_t> users, versions, numbers;
    std::vector<std::string> assets, amounts, after, sources, types;
    for (const domain::Posting& posting : decision.postings) {
        users.push_back(posting.account.user.value());
        assets.push_back(posting.account.asset);
        amounts.push_back(posting.amount.toText());
        after.push_back(posting.balanceAfter.toText());
        versions.push_back(posting.version);
        sources.push_back(posting.sourceEventId);
        types.emplace_back(domain::toText(posting.type));
        numbers.push_back(posting.no.value());
    }
    pg::Params params;
    params.bigintArray(users).textArray(assets).textArray(amounts).textArray(after);
    params.bigintArray(versions).textArray(sources).textArray(types).bigintArray(numbers);
    writes.add(sql::kSettleWriteJournal, std::move(params), numbers.size());
}

void writeReturns(CountedWrites& writes, const Reading& reading, const Decision& decision)
{
    if (reading.originals.empty()) return;
    std::vector<std::int64_t> originals, numbers;
    std::vector<std::string> types, amounts;
    for (const domain::Outcome& outcome : decision.outcomes) {
        if (outcome.ending != Ending::Confirmed) continue;
        const domain::Event& event = eventOf(reading, outcome.no);
        if (!event.originalEventId) continue;
        const bool refersToDeposit = event.type() == domain::EventType::Refund
            || event.type() == domain::EventType::ReorgReversal
            || event.type() == domain::EventType::ReorgCredit;
        const auto original = reading.originals.find(*event.originalEventId);
        if (!refersToDeposit || original == reading.originals.end()) continue;
        originals.push_back(original->second.value());
        numbers.push_back(event.no.value());
        types.push_back(event.typeText);
        amounts.push_back(event.amount.toText());
    }
    if (numbers.empty()) return;
    pg::Params params;
    params.bigintArray(originals).bigintArray(numbers).textArray(types).textArray(amounts);
    writes.add(sql::kSettleWriteReturns, std::move(params), numbers.size());
}

void writeProcessed(CountedWrites& writes, const Reading& reading, const Decision& decision)
{
    std::vector<std::int64_t> numbers;
    std::vector<pg::Bytes> keys;
    std::vector<std::string> outcomes;
    for (const domain::Outcome& outcome : decision.outcomes) {
        const bool isSuccess = outcome.ending == Ending::Confirmed;
        if (!isSuccess && outcome.failure != Failure::InsufficientFunds) continue;
        const domain::Event& event = eventOf(reading, outcome.no);
        const auto key = crypto::sha256(domain::idempotencyKeyBytes(event.eventId, event.typeText));
        numbers.push_back(event.no.value());
        keys.emplace_back(key.begin(), key.end());
        outcomes.emplace_back(isSuccess ? "success" : "insufficient_funds");
    }
    if (numbers.empty()) return;
    pg::Params params;
    params.bigintArray(numbers).byteaArray(keys).textArray(outcomes);
    writes.add(sql::kSettleWriteProcessed, std::move(params), numbers.size());
}

void endEvents(CountedWrites& writes, const Decision& decision)
{
    std::map<std::optional<Failure>, std::vector<EventNo>> ended;
    for (const domain::Outcome& outcome : decision.outcomes) {
        if (outcome.ending != Ending::Confirmed && outcome.ending != Ending::Failed) continue;
        ended[outcome.failure].push_back(outcome.no);
    }
    for (const auto& [failure, numbers] : ended) {
        pg::Params params = boundedNumbers(numbers);
        params.text(failure ? "failed" : "confirmed");
        params.text(failure ? std::optional{std::string{domain::toText(*failure)}} : std::nullopt);
        writes.add(sql::kSettleEndEvents, std::move(params), numbers.size());
    }
}

void writeNotifications(CountedWrites& writes, const Decision& decision)
{
    if (decision.notifications.empty()) return;
    std::vector<std::int64_t> numbers;
    std::vector<std::string> kinds;
    for (const domain::Notification& notification : decision.notifications) {
        numbers.push_back(notification.no.value());
        kinds.emplace_back(domain::toText(notification.kind));
    }
    pg::Params params;
    params.bigintArray(numbers).textArray(kinds);
    writes.addUncounted(sql::kSettleWriteNotifications, std::move(params));
}

void writeLetters(CountedWrites& writes, const std::vector<Letter>& letters)
{
    if (letters.empty()) return;
    std::vector<EventNo> numbers;
    std::vector<std::string> uids, errors, classes, causes;
    std::vector<std::int16_t> attempts;
    for (const Letter& letter : letters) {
        numbers.push_back(letter.no);
        uids.push_back(letter.uid);
        errors.push_back(letter.error);
        classes.push_back(letter.errorClass);
        causes.push_back(letter.cause);
        attempts.push_back(static_cast<std::int16_t>(letter.attempt));
    }
    pg::Params params = boundedNumbers(numbers);
    params.textArray(uids).textArray(errors).textArray(classes).textArray(causes);
    params.smallintArray(attempts);
    writes.add(sql::kSettleWriteLetters, std::move(params), letters.size());
}

void moveWork(CountedWrites& writes, const Reading& reading, const Decision& decision)
{
    std::vector<std::int64_t> gone, users;
    std::vector<domain::EventNo> waiting;
    std::vector<std::int16_t> attempts;
    for (std::size_t i = 0; i < decision.outcomes.size(); ++i) {
        const domain::Outcome& outcome = decision.outcomes[i];
        if (outcome.ending == Ending::Deferred || outcome.ending == Ending::LeftAlone) continue;
        gone.push_back(outcome.no.value());
        if (outcome.ending != Ending::WaitsForOriginal) continue;
        const Work& work = reading.work[i];
        CHECK(work.no == outcome.no);
        waiting.push_back(work.no);
        users.push_back(work.user.value());
        attempts.push_back(static_cast<std::int16_t>(work.attempts));
    }
    if (!waiting.empty()) {
        pg::Params params = boundedNumbers(waiting);
        params.bigintArray(users).smallintArray(attempts);
        writes.add(sql::kSettleWaitForOriginals, std::move(params), waiting.size());
    }
    if (gone.empty()) return;
    writes.add(sql::kSettleDeleteWork, std::move(pg::Params{}.bigintArray(gone)), gone.size());
}

std::optional<std::string> detailOf(const domain::Outcome& outcome)
{
    if (!outcome.failure) return std::nullopt;
    base::JsonWriter json;
    json.beginObject().field("failure", domain::toText(*outcome.failure));
    if (outcome.winner) json.field("winner", outcome.winner->value());
    json.endObject();
    return json.take();
}

std::vector<store::LogEntry> logEntriesOf(const Reading& reading, const Decision& decision)
{
    std::map<EventNo, const domain::Outcome*> failed;
    for (const domain::Outcome& outcome : decision.outcomes) {
        if (outcome.failure) failed.emplace(outcome.no, &outcome);
    }
    std::vector<store::LogEntry> entries;
    entries.reserve(decision.log.size());
    for (const domain::LogEntry& line : decision.log) {
        const domain::Event& event = eventOf(reading, line.no);
        const auto failure = failed.find(line.no);
        entries.push_back({event.no.value(), std::string{domain::toText(line.kind)}, event.traceId,
            event.eventId, event.typeText, event.user.value(), event.merchant, event.asset,
            event.amount.toText(),
            failure == failed.end() ? std::nullopt : detailOf(*failure->second)});
    }
    return entries;
}

} // namespace

base::Status BatchWriter::write(pg::Transaction& transaction, const Reading& reading,
    const Decision& decision, const std::vector<Letter>& letters) const
{
    CHECK(decision.outcomes.size() == reading.work.size());
    CountedWrites writes{transaction};
    writeClaims(writes, reading, decision);
    writeMerchants(writes, decision);
    writeBalances(writes, decision);
    writeJournal(writes, decision);
    writeReturns(writes, reading, decision);
    if (!reading.hasOutcomeRow) writeProcessed(writes, reading, decision);
    endEvents(writes, decision);
    writeNotifications(writes, decision);
    writeLetters(writes, letters);
    moveWork(writes, reading, decision);
    return writes.send();
}

base::Status BatchWriter::commit(
    pg::Transaction& transaction, const Reading& reading, const Decision& decision) const
{
    const auto entries = logEntriesOf(reading, decision);
    if (!entries.empty()) m_log.appendTo(transaction, entries);
    const auto answers = transaction.commit();
    if (!answers) return answers.error();
    // The last answer is COMMIT's own, the one before it the append's.
    if (!entries.empty()) m_log.committed((*answers)[1], entries.size());
    return base::Done{};
}

} // namespace settle
