#include "tests/processor/domain/settlement_model.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace model {
namespace {

Decimal decimal(const domain::Amount& amount)
{
    return Decimal{amount.toNumeric()};
}

const Decimal& tooMuch()
{
    static const Decimal kLimit{"100000000000000000000.000000000000000000"};
    return kLimit;
}

Decimal smaller(const Decimal& left, const Decimal& right)
{
    return right < left ? right : left;
}

std::string withSign(const Decimal& number)
{
    return (number.isNegative() ? "" : "+") + number.shortText();
}

bool isOneOf(std::string_view text, std::initializer_list<std::string_view> words)
{
    return std::find(words.begin(), words.end(), text) != words.end();
}

bool comesIn(const std::string& type)
{
    return isOneOf(type, {"deposit", "airdrop", "reorg_credit"});
}

std::string toldAs(const std::string& type)
{
    if (type == "refund") {
        return " | refunded | payment.refunded";
    }
    if (type == "reorg_reversal") {
        return " | reversed | payment.reversed";
    }
    if (type == "reorg_credit") {
        return " | recredited | payment.recredited";
    }
    return comesIn(type) ? " | credited | payment.confirmed" : " | debited | payment.confirmed";
}

} // namespace

SettlementModel::SettlementModel(const domain::Batch& batch) : m_batch{batch}
{
    for (const domain::Account& account : batch.accounts) {
        m_purses.emplace(Name{account.id.user.value(), account.id.asset},
            Purse{decimal(account.balance), decimal(account.debt), account.version});
    }
}

SettlementModel::Name SettlementModel::accountOf(const domain::Event& event)
{
    return {event.user.value(), event.asset};
}

std::string SettlementModel::settle()
{
    std::string lines;
    for (std::size_t i = 0; i < m_batch.candidates.size(); ++i) {
        m_results.push_back(settleOne(i));
        lines += lineOf(m_batch.candidates[i].event, m_results.back());
    }
    for (const auto& [name, purse] : m_purses) {
        if (purse.touched) {
            lines += std::to_string(name.first) + "/" + name.second + " "
                + purse.balance.shortText() + " debt " + purse.debt.shortText() + " v"
                + std::to_string(purse.version) + "\n";
        }
    }
    return lines + merchantLines();
}

SettlementModel::Result SettlementModel::settleOne(std::size_t index)
{
    const domain::Candidate& candidate = m_batch.candidates[index];
    const domain::Event& event = candidate.event;
    if (candidate.ended) {
        return {"ended"};
    }
    if (mustWaitItsTurn(index)) {
        return {"deferred"};
    }
    if (!isOneOf(event.typeText,
            {"deposit", "airdrop", "withdrawal", "withdrawal_fee", "refund", "reorg_reversal",
                "reorg_credit"})) {
        if (m_batch.unknownTypes == domain::UnknownTypes::LeaveAlone) {
            return {"left"};
        }
        return {"failed", "unknown_event_type"};
    }
    if (candidate.userVanished) {
        return {"failed", "user_vanished"};
    }
    if (!m_purses.contains(accountOf(event))) {
        return {"deferred"};
    }

    Result result{"confirmed"};
    std::optional<std::int64_t> firstHolder;
    for (const std::size_t claim : candidate.claims) {
        const auto holder = holderOf(claim, index);
        if (!holder || *holder == event.no.value()) {
            result.claim = claim;
            break;
        }
        firstHolder = firstHolder ? firstHolder : holder;
    }
    if (!candidate.claims.empty() && !result.claim) {
        return {"failed", "duplicate_payment", {}, {}, firstHolder};
    }
    if (event.typeText == "refund") {
        const std::string refusal = refuseRefund(index);
        if (refusal == "waits") {
            return {"waits"};
        }
        if (!refusal.empty()) {
            return {"failed", refusal};
        }
    }

    Purse& purse = m_purses.at(accountOf(event));
    const std::string refusal = move(event, purse);
    if (!refusal.empty()) {
        return {"failed", refusal};
    }
    const Decimal amount = decimal(event.amount);
    result.posting = " | " + event.eventId + " " + event.typeText + " "
        + std::to_string(event.user.value()) + "/" + event.asset + " "
        + withSign(comesIn(event.typeText) ? amount : -amount) + " = "
        + (purse.balance - purse.debt).shortText() + " v" + std::to_string(purse.version);
    return result;
}

bool SettlementModel::mustWaitItsTurn(std::size_t index) const
{
    const domain::Event& event = m_batch.candidates[index].event;
    for (const domain::Hold& hold : m_batch.holds) {
        if (Name{hold.account.user.value(), hold.account.asset} == accountOf(event)
            && hold.behind.value() < event.no.value()) {
            return true;
        }
    }
    for (std::size_t before = 0; before < index; ++before) {
        if (accountOf(m_batch.candidates[before].event) == accountOf(event)
            && isOneOf(m_results[before].ending, {"deferred", "left"})) {
            return true;
        }
    }
    return false;
}

std::optional<std::int64_t> SettlementModel::holderOf(std::size_t claim, std::size_t index) const
{
    for (std::size_t before = 0; before < index; ++before) {
        if (m_results[before].ending == "confirmed" && m_results[before].claim == claim) {
            return m_batch.candidates[before].event.no.value();
        }
    }
    const auto& holder = m_batch.claims[claim].holder;
    return holder ? std::optional{holder->value()} : std::nullopt;
}

std::string SettlementModel::refuseRefund(std::size_t index) const
{
    const domain::Candidate& candidate = m_batch.candidates[index];
    const domain::Event& refund = candidate.event;
    if (!refund.originalEventId) {
        return "original_missing";
    }

    std::optional<domain::Original> original;
    for (const domain::Original& known : m_batch.originals) {
        if (known.eventId == *refund.originalEventId) {
            original = known;
        }
    }
    // The history of this batch once more, looking for nothing but this original.
    Decimal givenBack = original ? decimal(original->refunded) : Decimal{};
    for (std::size_t before = 0; before < index; ++before) {
        const domain::Event& event = m_batch.candidates[before].event;
        const std::string& ending = m_results[before].ending;
        if (event.typeText == "deposit" && event.eventId == *refund.originalEventId) {
            if (ending == "confirmed") {
                original = original.value_or(domain::Original{
                    event.eventId, event.user, event.asset, event.amount, event.merchant});
                original->state = domain::OriginalState::Confirmed;
            } else if (ending == "failed" && original) {
                original->state = domain::OriginalState::Gone;
            }
        }
        if (ending != "confirmed" || event.originalEventId != refund.originalEventId) {
            continue;
        }
        if (event.typeText == "refund") {
            givenBack = givenBack + decimal(event.amount);
        } else if (event.typeText == "reorg_reversal" && original) {
            original->state = domain::OriginalState::Gone;
        } else if (event.typeText == "reorg_credit" && original) {
            original->state = domain::OriginalState::Confirmed;
        }
    }

    if (!original) {
        return candidate.originalOverdue ? "original_missing" : "waits";
    }
    if (original->user != refund.user || original->asset != refund.asset
        || original->merchant != refund.merchant) {
        return "original_missing";
    }
    switch (original->state) {
    case domain::OriginalState::Gone:
        return "original_missing";
    case domain::OriginalState::Unsettled:
        return "waits";
    case domain::OriginalState::Confirmed:
        break;
    }
    const bool tooMuchBack = decimal(original->amount) < givenBack + decimal(refund.amount);
    return tooMuchBack ? "refund_exceeds_original" : "";
}

std::string SettlementModel::move(const domain::Event& event, Purse& purse) const
{
    const Decimal amount = decimal(event.amount);
    Decimal balance = purse.balance;
    Decimal debt = purse.debt;
    if (comesIn(event.typeText)) {
        const Decimal paidOff = smaller(debt, amount);
        debt = debt - paidOff;
        balance = balance + (amount - paidOff);
    } else if (event.typeText == "reorg_reversal") {
        const Decimal found = smaller(balance, amount);
        balance = balance - found;
        debt = debt + (amount - found);
    } else {
        if (balance < amount) {
            return "insufficient_funds";
        }
        balance = balance - amount;
    }
    if (!(balance < tooMuch()) || !(debt < tooMuch())) {
        return "balance_overflow";
    }
    purse = Purse{balance, debt, purse.version + 1, true};
    return "";
}

std::string SettlementModel::lineOf(const domain::Event& event, const Result& result)
{
    std::string line = std::to_string(event.no.value()) + " " + result.ending;
    if (result.ending == "failed") {
        const bool letter
            = result.failure != "insufficient_funds" && result.failure != "duplicate_payment";
        line += " " + result.failure + (letter ? " letter" : "");
        if (result.winner) {
            line += " winner " + std::to_string(*result.winner);
        }
        line += result.failure == "insufficient_funds" ? " | insufficient_funds" : " | failed";
        line += " | payment.failed";
        line += letter ? " | payment.dead_lettered" : "";
    }
    if (result.claim) {
        line += " claim " + std::to_string(*result.claim);
    }
    line += result.posting;
    if (result.ending == "confirmed") {
        line += toldAs(event.typeText);
    }
    return line + "\n";
}

std::string SettlementModel::merchantLines() const
{
    std::map<std::pair<std::string, std::string>, Decimal> totals;
    for (std::size_t i = 0; i < m_results.size(); ++i) {
        const domain::Event& event = m_batch.candidates[i].event;
        if (m_results[i].ending != "confirmed" || !event.merchant) {
            continue;
        }
        const std::pair name{*event.merchant, event.asset};
        if (isOneOf(event.typeText, {"deposit", "reorg_credit"})) {
            totals[name] = totals[name] + decimal(event.amount);
        } else if (isOneOf(event.typeText, {"refund", "reorg_reversal"})) {
            totals[name] = totals[name] - decimal(event.amount);
        }
    }
    std::string lines;
    for (const auto& [name, total] : totals) {
        lines += name.first + "/" + name.second + " " + withSign(total) + "\n";
    }
    return lines;
}

} // namespace model
