#include "tests/processor/domain/batch_builder.h"

#include "processor/base/check.h"

namespace model {

domain::Amount amount(const std::string& numeric)
{
    const auto parsed = domain::Amount::fromNumeric(numeric);
    CHECK(parsed);
    return *parsed;
}

domain::Account account(std::int64_t user, const std::string& balance, const std::string& debt)
{
    return {{domain::UserId{user}, "ETH"}, amount(balance), amount(debt), 0};
}

domain::Candidate payment(std::int64_t no, const std::string& type, const std::string& text)
{
    return {{.no = domain::EventNo{no},
        .eventId = "e" + std::to_string(no),
        .typeText = type,
        .user = domain::UserId{1},
        .asset = "ETH",
        .amount = amount(text)}};
}

domain::Candidate refund(std::int64_t no, const std::string& original, const std::string& text)
{
    return with(payment(no, "refund", text),
        [&](domain::Candidate& candidate) { candidate.event.originalEventId = original; });
}

domain::Original original(
    domain::OriginalState state, const std::string& text, const std::string& refunded)
{
    return {"d", domain::UserId{1}, "ETH", amount(text), std::nullopt, state, amount(refunded)};
}

domain::Batch batch(
    std::vector<domain::Account> accounts, std::vector<domain::Candidate> candidates)
{
    return {.candidates = std::move(candidates), .accounts = std::move(accounts)};
}

} // namespace model
