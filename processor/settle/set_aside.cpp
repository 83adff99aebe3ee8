#include "processor/settle/set_aside.h"

#include <algorithm>

namespace settle {

bool SetAside::add(const domain::AccountId& account, Clock::time_point until)
{
    const auto known = m_until.find(account);
    if (known != m_until.end()) {
        known->second = std::max(known->second, until);
        return false;
    }
    if (m_until.size() >= kAccountsMax) return false;
    m_until.emplace(account, until);
    return true;
}

std::vector<domain::AccountId> SetAside::active(Clock::time_point now)
{
    std::erase_if(m_until, [&](const auto& entry) { return entry.second <= now; });
    std::vector<domain::AccountId> accounts;
    accounts.reserve(m_until.size());
    for (const auto& [account, until] : m_until) accounts.push_back(account);
    return accounts;
}

std::optional<SetAside::Clock::time_point> SetAside::nextEnd() const
{
    const auto first = std::min_element(m_until.begin(), m_until.end(),
        [](const auto& left, const auto& right) { return left.second < right.second; });
    return first == m_until.end() ? std::nullopt : std::optional{first->second};
}

} // namespace settle
