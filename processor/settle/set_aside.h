// SetAside: accounts that cannot go on just now, left out of batches so that others get through.
#pragma once

#include "processor/domain/event.h"

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <vector>

namespace settle {

/// Memory of one settler; forgetting it costs one useless read and nothing else. Bounded far above
/// what anybody locks at a time, at a few megabytes: while more accounts than that are held and
/// stand in front, those behind them wait.
class SetAside
{
public:
    using Clock = std::chrono::steady_clock;
    static constexpr std::size_t kAccountsMax = 50'000;

    /// Whether it is new here. Beyond kAccountsMax an account is not remembered.
    bool add(const domain::AccountId& account, Clock::time_point until);

    /// Those whose time is not over; forgets the others.
    std::vector<domain::AccountId> active(Clock::time_point now);

    [[nodiscard]] std::size_t size() const { return m_until.size(); }
    /// When the first of them may go on.
    [[nodiscard]] std::optional<Clock::time_point> nextEnd() const;

private:
    std::map<domain::AccountId, Clock::time_point> m_until;
};

} // namespace settle
