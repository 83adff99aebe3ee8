// Settlement done by hand: slow, one event at a time, on paper sums. It shares the input with
// decide() and not a line of its code; where the two differ, one of them is wrong.
#pragma once

#include "processor/domain/decide.h"
#include "tests/processor/domain/decimal_model.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace model {

/** Reads the rules as prose says them and keeps nothing but what happened so far. */
class SettlementModel
{
public:
    explicit SettlementModel(const domain::Batch& batch);

    /** The decision in the words of describe(). */
    std::string settle();

private:
    using Name = std::pair<std::int64_t, std::string>; // user and asset, or 0 and merchant/asset

    struct Purse
    {
        Decimal balance;
        Decimal debt;
        std::int64_t version;
        bool touched = false;
    };

    struct Result
    {
        std::string ending;
        std::string failure = {};
        std::optional<std::size_t> claim = {};
        std::string posting = {};
        std::optional<std::int64_t> winner = {};
    };

    static Name accountOf(const domain::Event& event);
    static std::string lineOf(const domain::Event& event, const Result& result);

    Result settleOne(std::size_t index);
    bool mustWaitItsTurn(std::size_t index) const;
    std::optional<std::int64_t> holderOf(std::size_t claim, std::size_t index) const;
    /** Empty, "waits", or why the refund fails. */
    std::string refuseRefund(std::size_t index) const;
    /** Empty, or why the money cannot move. */
    std::string move(const domain::Event& event, Purse& purse) const;
    std::string merchantLines() const;

    const domain::Batch& m_batch;
    std::map<Name, Purse> m_purses;
    std::vector<Result> m_results;
};

} // namespace model
