#include "tests/processor/domain/batch_text.h"

namespace model {
namespace {

std::string number(std::int64_t value)
{
    return std::to_string(value);
}

std::string text(const domain::AccountId& account)
{
    return number(account.user.value()) + "/" + account.asset;
}

std::string withSign(const domain::Amount& amount)
{
    return (amount.isNegative() ? "" : "+") + amount.toText();
}

std::string text(domain::Ending ending)
{
    switch (ending) {
    case domain::Ending::Confirmed:
        return "confirmed";
    case domain::Ending::Failed:
        return "failed";
    case domain::Ending::Deferred:
        return "deferred";
    case domain::Ending::WaitsForOriginal:
        return "waits";
    case domain::Ending::AlreadyEnded:
        return "ended";
    case domain::Ending::LeftAlone:
        return "left";
    }
    return "?";
}

std::string text(const domain::Outcome& outcome)
{
    std::string line = number(outcome.no.value()) + " " + text(outcome.ending);
    if (outcome.failure) {
        line += " " + std::string{domain::toText(*outcome.failure)};
    }
    if (outcome.letter) {
        line += " letter";
    }
    if (outcome.winner) {
        line += " winner " + number(outcome.winner->value());
    }
    if (outcome.claim) {
        line += " claim " + std::to_string(*outcome.claim);
    }
    return line;
}

std::string text(const domain::Posting& posting)
{
    return " | " + posting.sourceEventId + " " + std::string{domain::toText(posting.type)} + " "
        + text(posting.account) + " " + withSign(posting.amount) + " = "
        + posting.balanceAfter.toText() + " v" + number(posting.version);
}

std::string text(const domain::Account& account)
{
    return text(account.id) + " " + account.balance.toText() + " debt " + account.debt.toText()
        + " v" + number(account.version);
}

} // namespace

std::string describe(const domain::Decision& decision)
{
    std::string lines;
    auto posting = decision.postings.begin();
    auto told = decision.notifications.begin();
    auto logged = decision.log.begin();
    for (const domain::Outcome& outcome : decision.outcomes) {
        lines += text(outcome);
        for (; posting != decision.postings.end() && posting->no == outcome.no; ++posting) {
            lines += text(*posting);
        }
        for (; told != decision.notifications.end() && told->no == outcome.no; ++told) {
            lines += " | " + std::string{domain::toText(told->kind)};
        }
        for (; logged != decision.log.end() && logged->no == outcome.no; ++logged) {
            lines += " | " + std::string{domain::toText(logged->kind)};
        }
        lines += "\n";
    }
    if (posting != decision.postings.end() || told != decision.notifications.end()
        || logged != decision.log.end()) {
        lines += "left over\n";
    }
    for (const domain::Account& account : decision.accounts) {
        lines += text(account) + "\n";
    }
    for (const domain::MerchantMovement& movement : decision.merchants) {
        lines += movement.merchant + "/" + movement.asset + " " + withSign(movement.amount) + "\n";
    }
    return lines;
}

std::string describe(const domain::Batch& batch)
{
    std::string lines;
    for (const domain::Account& account : batch.accounts) {
        lines += "account " + text(account) + "\n";
    }
    for (const domain::Hold& hold : batch.holds) {
        lines += "hold " + text(hold.account) + " behind " + number(hold.behind.value()) + "\n";
    }
    for (const domain::Original& original : batch.originals) {
        lines += "original " + original.eventId + " user " + number(original.user.value()) + " "
            + original.asset + " " + original.amount.toText() + " merchant "
            + original.merchant.value_or("-") + " state "
            + std::to_string(static_cast<int>(original.state)) + " refunded "
            + original.refunded.toText() + "\n";
    }
    for (const domain::Claim& claim : batch.claims) {
        lines += "claim of " + (claim.holder ? number(claim.holder->value()) : "nobody") + "\n";
    }
    for (const domain::Candidate& candidate : batch.candidates) {
        const domain::Event& event = candidate.event;
        lines += "event " + number(event.no.value()) + " " + event.eventId + " " + event.typeText
            + " " + text(event.account()) + " " + event.amount.toText() + " merchant "
            + event.merchant.value_or("-") + " original " + event.originalEventId.value_or("-")
            + (candidate.ended ? " ended" : "") + (candidate.userVanished ? " vanished" : "")
            + (candidate.originalOverdue ? " overdue" : "") + " claims";
        for (const std::size_t index : candidate.claims) {
            lines += " " + std::to_string(index);
        }
        lines += "\n";
    }
    return lines;
}

} // namespace model
