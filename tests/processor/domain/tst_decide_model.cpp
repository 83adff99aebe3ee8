#include "processor/domain/decide.h"
#include "tests/processor/domain/batch_generator.h"
#include "tests/processor/domain/batch_text.h"
#include "tests/processor/domain/settlement_model.h"

#include <QTest>

#include <map>

using domain::Batch;
using domain::Decision;

namespace {

std::uint64_t fromEnvironment(const char* name, std::uint64_t otherwise)
{
    return qEnvironmentVariableIsSet(name) ? qgetenv(name).toULongLong() : otherwise;
}

std::uint64_t firstSeed()
{
    return fromEnvironment("COUNTERSIGN_MODEL_SEED", 20'240'229);
}

/** Prints the case so that it can be run alone; false ends the loop. */
bool agree(
    std::uint64_t seed, const Batch& batch, const std::string& actual, const std::string& expected)
{
    if (actual == expected) {
        return true;
    }
    qWarning("%s",
        ("COUNTERSIGN_MODEL_SEED=" + std::to_string(seed) + "\n" + model::describe(batch)
            + "--- decided\n" + actual + "--- expected\n" + expected)
            .c_str());
    return false;
}

/** What the next batch would read after this decision was written. */
void carryForward(Batch& next, const Batch& batch, const Decision& decision)
{
    for (const domain::Account& changed : decision.accounts) {
        for (domain::Account& account : next.accounts) {
            account = account.id == changed.id ? changed : account;
        }
    }
    for (std::size_t i = 0; i < batch.candidates.size(); ++i) {
        const domain::Event& event = batch.candidates[i].event;
        const domain::Outcome& outcome = decision.outcomes[i];
        if (outcome.claim) {
            next.claims[*outcome.claim].holder = event.no;
        }
        if (outcome.ending == domain::Ending::Deferred
            || outcome.ending == domain::Ending::LeftAlone) {
            next.holds.push_back({event.account(), event.no});
        }
        const bool confirmed = outcome.ending == domain::Ending::Confirmed;
        const auto named = [&next](const std::string& id) {
            return std::find_if(next.originals.begin(), next.originals.end(),
                [&](const auto& original) { return original.eventId == id; });
        };
        if (event.typeText == "deposit" && confirmed
            && named(event.eventId) == next.originals.end()) {
            next.originals.push_back(
                {event.eventId, event.user, event.asset, event.amount, event.merchant});
        }
        const auto original = named(event.typeText == "deposit"
                ? event.eventId
                : event.originalEventId.value_or("nothing has this id"));
        if (original == next.originals.end()) {
            continue;
        }
        if (confirmed && event.typeText == "refund") {
            original->refunded = *original->refunded.plus(event.amount);
        } else if (confirmed && (event.typeText == "deposit" || event.typeText == "reorg_credit")) {
            original->state = domain::OriginalState::Confirmed;
        } else if ((confirmed && event.typeText == "reorg_reversal")
            || (outcome.ending == domain::Ending::Failed && event.typeText == "deposit")) {
            original->state = domain::OriginalState::Gone;
        }
    }
}

/** Two decisions, one after the other, as one. */
Decision joined(const Decision& early, const Decision& late)
{
    Decision both = early;
    const auto append
        = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
    append(both.outcomes, late.outcomes);
    append(both.postings, late.postings);
    append(both.notifications, late.notifications);
    append(both.log, late.log);

    std::map<domain::AccountId, domain::Account> accounts;
    for (const auto* accountsOfOne : {&early.accounts, &late.accounts}) {
        for (const domain::Account& account : *accountsOfOne) {
            accounts.insert_or_assign(account.id, account);
        }
    }
    both.accounts.clear();
    for (const auto& [id, account] : accounts) {
        both.accounts.push_back(account);
    }

    std::map<std::pair<std::string, std::string>, domain::Amount> merchants;
    for (const auto* movements : {&early.merchants, &late.merchants}) {
        for (const domain::MerchantMovement& movement : *movements) {
            domain::Amount& total = merchants[{movement.merchant, movement.asset}];
            total = *total.plus(movement.amount);
        }
    }
    both.merchants.clear();
    for (const auto& [name, amount] : merchants) {
        both.merchants.push_back({name.first, name.second, amount});
    }
    return both;
}

} // namespace

/**
 * Random batches: COUNTERSIGN_MODEL_CASES says how many, COUNTERSIGN_MODEL_SEED where to begin; a
 * failure names the seed of its case.
 */
class TestDecideModel : public QObject
{
    Q_OBJECT

private slots:
    void agreesWithSettlementByHand()
    {
        const std::uint64_t cases = fromEnvironment("COUNTERSIGN_MODEL_CASES", 100'000);
        qInfo("%llu cases from seed %llu", static_cast<unsigned long long>(cases),
            static_cast<unsigned long long>(firstSeed()));
        std::map<std::string, std::uint64_t> seen;
        for (std::uint64_t seed = firstSeed(); seed < firstSeed() + cases; ++seed) {
            const Batch batch = model::generateBatch(seed);
            const Decision decision = domain::decide(batch);
            QVERIFY(agree(
                seed, batch, model::describe(decision), model::SettlementModel{batch}.settle()));
            countWhatHappened(decision, seen);
        }
        for (const auto& [what, count] : seen) {
            qInfo("%8llu %s", static_cast<unsigned long long>(count), what.c_str());
        }
        // A generator that never gets there proves nothing.
        for (const char* what : {"confirmed", "deferred", "waits for its original", "ended", "left",
                 "insufficient_funds", "duplicate_payment", "balance_overflow", "original_missing",
                 "refund_exceeds_original", "user_vanished", "unknown_event_type", "into debt",
                 "refund", "reorg_reversal", "reorg_credit", "claimed", "merchant moved"}) {
            QVERIFY2(seen[what] * 200 >= cases || cases < 1'000, what);
        }
    }

    void sumsHoldAfterEachBatch()
    {
        for (std::uint64_t seed = firstSeed(); seed < firstSeed() + 10'000; ++seed) {
            const Batch batch = model::generateBatch(seed);
            const Decision decision = domain::decide(batch);
            std::map<domain::AccountId, domain::Account> accounts;
            for (const domain::Account& account : batch.accounts) {
                accounts.emplace(account.id, account);
            }
            for (const domain::Posting& posting : decision.postings) {
                domain::Account& account = accounts.at(posting.account);
                // balance − debt = what it was + the journal, at each row, versions without a gap
                const auto net = account.balance.minus(account.debt)->plus(posting.amount);
                QCOMPARE(posting.balanceAfter, *net);
                QCOMPARE(posting.version, account.version + 1);
                account.balance = net->isNegative() ? domain::Amount{} : *net;
                account.debt = net->isNegative() ? net->negated() : domain::Amount{};
                account.version = posting.version;
            }
            for (const domain::Account& changed : decision.accounts) {
                QCOMPARE(changed, accounts.at(changed.id));
                QVERIFY(!changed.balance.isNegative() && !changed.debt.isNegative());
                QVERIFY(changed.balance.isZero() || changed.debt.isZero());
                QVERIFY(changed.balance < domain::Amount::limit());
                QVERIFY(changed.debt < domain::Amount::limit());
            }
            QCOMPARE(decision.outcomes.size(), batch.candidates.size());
        }
    }

    void whereABatchIsCutDoesNotMatter()
    {
        for (std::uint64_t seed = firstSeed(); seed < firstSeed() + 10'000; ++seed) {
            const Batch whole = model::generateBatch(seed);
            const auto cut = std::ptrdiff_t(seed % (whole.candidates.size() + 1));
            Batch first = whole;
            first.candidates.erase(first.candidates.begin() + cut, first.candidates.end());
            Batch second = whole;
            second.candidates.erase(second.candidates.begin(), second.candidates.begin() + cut);

            const Decision all = domain::decide(whole);
            const Decision early = domain::decide(first);
            carryForward(second, first, early);
            const Decision late = domain::decide(second);

            QVERIFY(agree(seed, whole, model::describe(joined(early, late)), model::describe(all)));
        }
    }

    void deliveredAgainNothingMoves()
    {
        for (std::uint64_t seed = firstSeed(); seed < firstSeed() + 1'000; ++seed) {
            Batch batch = model::generateBatch(seed);
            for (domain::Candidate& candidate : batch.candidates) {
                candidate.ended = true;
            }
            const Decision decision = domain::decide(batch);
            QVERIFY(decision.postings.empty());
            QVERIFY(decision.accounts.empty());
            QVERIFY(decision.merchants.empty());
            QVERIFY(decision.notifications.empty());
            QVERIFY(decision.log.empty());
        }
    }

private:
    static void countWhatHappened(
        const Decision& decision, std::map<std::string, std::uint64_t>& seen)
    {
        for (const domain::Outcome& outcome : decision.outcomes) {
            switch (outcome.ending) {
            case domain::Ending::Confirmed:
                ++seen["confirmed"];
                break;
            case domain::Ending::Failed:
                ++seen[std::string{domain::toText(*outcome.failure)}];
                break;
            case domain::Ending::Deferred:
                ++seen["deferred"];
                break;
            case domain::Ending::WaitsForOriginal:
                ++seen["waits for its original"];
                break;
            case domain::Ending::AlreadyEnded:
                ++seen["ended"];
                break;
            case domain::Ending::LeftAlone:
                ++seen["left"];
                break;
            }
            seen["claimed"] += outcome.claim ? 1U : 0U;
        }
        for (const domain::Posting& posting : decision.postings) {
            ++seen[std::string{domain::toText(posting.type)}];
            seen["into debt"] += posting.balanceAfter.isNegative() ? 1U : 0U;
        }
        seen["merchant moved"] += decision.merchants.size();
    }
};

QTEST_APPLESS_MAIN(TestDecideModel)

#include "tst_decide_model.moc"
