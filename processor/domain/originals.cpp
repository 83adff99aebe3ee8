#include "processor/domain/originals.h"

#include "processor/base/check.h"

namespace domain {

Originals::Originals(const std::vector<Original>& originals)
{
    for (const Original& original : originals) {
        const bool first = m_byEventId.emplace(original.eventId, original).second;
        CHECK(first);
    }
}

RefundVerdict Originals::judge(const Event& refund, bool overdue) const
{
    if (!refund.originalEventId) {
        return {.failure = Failure::OriginalMissing};
    }
    const auto found = m_byEventId.find(*refund.originalEventId);
    if (found == m_byEventId.end()) {
        // Deliveries overtake each other: the deposit may still come.
        return overdue ? RefundVerdict{.failure = Failure::OriginalMissing}
                       : RefundVerdict{.waits = true};
    }
    const Original& original = found->second;
    // An id never changes what it stands for, so waiting would not turn a stranger's deposit into
    // the right one.
    const bool same = original.user == refund.user && original.asset == refund.asset
        && original.merchant == refund.merchant;
    if (!same || original.state == OriginalState::Gone) {
        return {.failure = Failure::OriginalMissing};
    }
    // It is here and will end, however long its finality takes: waiting is not a failure.
    if (original.state == OriginalState::Unsettled) {
        return {.waits = true};
    }
    const auto refunded = original.refunded.plus(refund.amount);
    CHECK(refunded);
    if (*refunded > original.amount) {
        return {.failure = Failure::RefundExceedsOriginal};
    }
    return {};
}

void Originals::noteConfirmed(const Event& event)
{
    const auto type = event.type();
    CHECK(type);
    switch (*type) {
    case EventType::Deposit:
        m_byEventId.try_emplace(event.eventId,
            Original{event.eventId, event.user, event.asset, event.amount, event.merchant});
        setState(event.eventId, OriginalState::Confirmed);
        break;
    case EventType::Refund: {
        const auto found = m_byEventId.find(*event.originalEventId);
        CHECK(found != m_byEventId.end());
        const auto refunded = found->second.refunded.plus(event.amount);
        CHECK(refunded);
        found->second.refunded = *refunded;
        break;
    }
    case EventType::ReorgReversal:
        if (event.originalEventId) {
            setState(*event.originalEventId, OriginalState::Gone);
        }
        break;
    case EventType::ReorgCredit:
        if (event.originalEventId) {
            setState(*event.originalEventId, OriginalState::Confirmed);
        }
        break;
    case EventType::Airdrop:
    case EventType::Withdrawal:
    case EventType::WithdrawalFee:
        break;
    }
}

void Originals::noteFailed(const Event& event)
{
    if (event.type() == EventType::Deposit) {
        setState(event.eventId, OriginalState::Gone);
    }
}

void Originals::setState(const std::string& eventId, OriginalState state)
{
    if (const auto found = m_byEventId.find(eventId); found != m_byEventId.end()) {
        found->second.state = state;
    }
}

} // namespace domain
