#include "processor/domain/decide.h"

#include "processor/base/check.h"
#include "processor/domain/ledger.h"
#include "processor/domain/originals.h"

#include <algorithm>

namespace domain {
namespace {

/** Walks a batch and gathers what is to be written. */
class Settlement
{
public:
    explicit Settlement(const Batch& batch)
        : m_unknownTypes{batch.unknownTypes}
        , m_ledger{batch}
        , m_originals{batch.originals}
        , m_claims{batch.claims}
    {}

    void settle(const Candidate& candidate)
    {
        const Outcome outcome = outcomeOf(candidate);
        switch (outcome.ending) {
        case Ending::Confirmed:
            m_ledger.tellConfirmed(candidate.event);
            m_originals.noteConfirmed(candidate.event);
            break;
        case Ending::Failed:
            m_ledger.tellFailed(candidate.event, *outcome.failure);
            m_originals.noteFailed(candidate.event);
            break;
        case Ending::Deferred:
        case Ending::LeftAlone:
            m_ledger.holdBack(candidate.event.account());
            break;
        case Ending::WaitsForOriginal:
        case Ending::AlreadyEnded:
            break;
        }
        m_outcomes.push_back(outcome);
    }

    Decision finish() && { return std::move(m_ledger).finish(std::move(m_outcomes)); }

private:
    static Outcome failed(EventNo no, Failure failure)
    {
        return Outcome{no, Ending::Failed, failure, hasDeadLetter(failure)};
    }

    /** A list of refusals, each with its name; what passes them all moves money. */
    Outcome outcomeOf(const Candidate& candidate)
    {
        const Event& event = candidate.event;
        if (candidate.ended) {
            return Outcome{event.no, Ending::AlreadyEnded};
        }
        // Before all else: an earlier event of this account has not had its turn yet.
        if (m_ledger.isHeldBack(event)) {
            return Outcome{event.no, Ending::Deferred};
        }
        const auto type = event.type();
        if (!type) {
            return m_unknownTypes == UnknownTypes::LeaveAlone
                ? Outcome{event.no, Ending::LeftAlone}
                : failed(event.no, Failure::UnknownEventType);
        }
        if (candidate.userVanished) {
            return failed(event.no, Failure::UserVanished);
        }
        if (!m_ledger.isLocked(event.account())) {
            return Outcome{event.no, Ending::Deferred};
        }
        // Before originals and funds: of two reports of one transfer the second is a duplicate,
        // not a refund too many or a withdrawal without funds.
        const auto claim = freeClaim(candidate);
        if (!claim && !candidate.claims.empty()) {
            Outcome outcome = failed(event.no, Failure::DuplicatePayment);
            outcome.winner = m_claims[candidate.claims.front()].holder;
            return outcome;
        }
        if (*type == EventType::Refund) {
            const RefundVerdict verdict = m_originals.judge(event, candidate.originalOverdue);
            if (verdict.waits) {
                return Outcome{event.no, Ending::WaitsForOriginal};
            }
            if (verdict.failure) {
                return failed(event.no, *verdict.failure);
            }
        }
        if (const auto failure = m_ledger.post(event, *type)) {
            return failed(event.no, *failure);
        }
        if (claim) {
            m_claims[*claim].holder = event.no;
        }
        return Outcome{event.no, Ending::Confirmed, {}, false, {}, claim};
    }

    /** The first transfer that nobody else holds. */
    std::optional<std::size_t> freeClaim(const Candidate& candidate) const
    {
        for (const std::size_t index : candidate.claims) {
            const auto& holder = m_claims[index].holder;
            if (!holder || *holder == candidate.event.no) {
                return index;
            }
        }
        return std::nullopt;
    }

    UnknownTypes m_unknownTypes;
    Ledger m_ledger;
    Originals m_originals;
    std::vector<Claim> m_claims;
    std::vector<Outcome> m_outcomes;
};

void checkCandidates(const Batch& batch)
{
    const Candidate* previous = nullptr;
    for (const Candidate& candidate : batch.candidates) {
        CHECK(!previous || previous->event.no < candidate.event.no);
        CHECK(candidate.event.amount.checkEvent());
        for (const std::size_t index : candidate.claims) {
            CHECK(index < batch.claims.size());
        }
        previous = &candidate;
    }
}

} // namespace

Decision decide(const Batch& batch)
{
    checkCandidates(batch);
    Settlement settlement{batch};
    for (const Candidate& candidate : batch.candidates) {
        settlement.settle(candidate);
    }
    return std::move(settlement).finish();
}

std::vector<AccountId> accountsOf(const std::vector<Candidate>& candidates)
{
    std::vector<AccountId> accounts;
    accounts.reserve(candidates.size());
    for (const Candidate& candidate : candidates) {
        accounts.push_back(candidate.event.account());
    }
    std::sort(accounts.begin(), accounts.end());
    accounts.erase(std::unique(accounts.begin(), accounts.end()), accounts.end());
    return accounts;
}

} // namespace domain
