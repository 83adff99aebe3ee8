#include "processor/domain/ledger.h"

#include "processor/base/check.h"
#include "processor/domain/effect.h"

#include <algorithm>

namespace domain {
namespace {

// Balances, debts and amounts stay below 10^20 and sums of a batch far below 2^256 / 10^18, so
// these cannot fail unless our own code is wrong.
Amount sum(const Amount& left, const Amount& right)
{
    const auto result = left.plus(right);
    CHECK(result);
    return *result;
}

void checkAccount(const Account& account)
{
    CHECK(!account.balance.isNegative() && account.balance < Amount::limit());
    CHECK(!account.debt.isNegative() && account.debt < Amount::limit());
    CHECK(account.balance.isZero() || account.debt.isZero());
}

} // namespace

Ledger::Ledger(const Batch& batch)
{
    for (const Account& account : batch.accounts) {
        checkAccount(account);
        const bool first = m_accounts.emplace(account.id, Entry{account}).second;
        CHECK(first);
    }
    for (const Hold& hold : batch.holds) {
        const auto [entry, first] = m_holds.emplace(hold.account, hold.behind);
        entry->second = std::min(entry->second, hold.behind);
    }
}

bool Ledger::isHeldBack(const Event& event) const
{
    const AccountId account = event.account();
    const auto hold = m_holds.find(account);
    return m_heldBack.contains(account) || (hold != m_holds.end() && hold->second < event.no);
}

bool Ledger::isLocked(const AccountId& account) const
{
    return m_accounts.contains(account);
}

void Ledger::holdBack(const AccountId& account)
{
    m_heldBack.insert(account);
}

std::optional<Failure> Ledger::post(const Event& event, EventType type)
{
    const auto found = m_accounts.find(event.account());
    CHECK(found != m_accounts.end());
    Entry& entry = found->second;
    Account& account = entry.account;
    if (effectOf(type).needsFunds && account.balance < event.amount) {
        return Failure::InsufficientFunds;
    }

    // One number moves; balance and debt are its two sides. So a reversal beyond the balance
    // becomes debt and a credit pays debt first, without a rule of their own.
    const Amount moved = isCredit(type) ? event.amount : event.amount.negated();
    const Amount net = sum(sum(account.balance, account.debt.negated()), moved);
    if (net >= Amount::limit() || net.negated() >= Amount::limit()) {
        return Failure::BalanceOverflow;
    }

    account.balance = net.isNegative() ? Amount{} : net;
    account.debt = net.isNegative() ? net.negated() : Amount{};
    account.version += 1;
    entry.changed = true;
    checkAccount(account);
    m_decision.postings.push_back(
        Posting{event.no, account.id, moved, net, account.version, event.eventId, type});
    return std::nullopt;
}

void Ledger::tellConfirmed(const Event& event)
{
    const auto type = event.type();
    CHECK(type);
    const Effect& effect = effectOf(*type);
    if (event.merchant && effect.merchant != MerchantSide::None) {
        Amount& total = m_merchants[{*event.merchant, event.asset}];
        total = sum(
            total, effect.merchant == MerchantSide::Adds ? event.amount : event.amount.negated());
    }
    m_decision.notifications.push_back(Notification{event.no, effect.notification});
    m_decision.log.push_back(LogEntry{event.no, effect.log});
}

void Ledger::tellFailed(const Event& event, Failure failure)
{
    const bool noFunds = failure == Failure::InsufficientFunds;
    m_decision.notifications.push_back(Notification{
        event.no, noFunds ? NotificationKind::InsufficientFunds : NotificationKind::Failed});
    m_decision.log.push_back(LogEntry{event.no, LogKind::Failed});
    if (hasDeadLetter(failure)) {
        m_decision.log.push_back(LogEntry{event.no, LogKind::DeadLettered});
    }
}

Decision Ledger::finish(std::vector<Outcome> outcomes) &&
{
    m_decision.outcomes = std::move(outcomes);
    for (const auto& [id, entry] : m_accounts) {
        if (entry.changed) {
            m_decision.accounts.push_back(entry.account);
        }
    }
    for (const auto& [key, amount] : m_merchants) {
        m_decision.merchants.push_back(MerchantMovement{key.first, key.second, amount});
    }
    return std::move(m_decision);
}

} // namespace domain
