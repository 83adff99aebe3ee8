#include "processor/ingest/reference.h"

#include "processor/base/limits.h"
#include "sql/intake.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace ingest {
namespace {

// How soon an unknown asset may make us look again.
constexpr std::chrono::milliseconds kAssetsAgain{250};

} // namespace

base::Status Reference::readAssets(
    pg::Connection& connection, std::span<const Claimed* const> claims, Time now)
{
    const auto isMissing = [this](const Claimed* claim) { return asset(claim->asset) == nullptr; };
    const auto age = m_assetsReadAt ? now - *m_assetsReadAt : Time::duration::max();
    const bool isStale = age >= base::kAssetsFresh
        || (age >= kAssetsAgain && std::ranges::any_of(claims, isMissing));
    if (!isStale) return base::Done{};
    const auto rows = connection.run(sql::kIntakeAssets);
    if (!rows) return rows.error();
    m_assets.clear();
    for (int row = 0; row < rows->size(); ++row) {
        m_assets[std::string{rows->text(row, 0)}]
            = Asset{std::string{rows->text(row, 1)}, rows->boolean(row, 2)};
    }
    m_assetsReadAt = now;
    return base::Done{};
}

std::string Reference::chainOf(const Claimed& claim) const
{
    const Asset* known = asset(claim.asset);
    return claim.chain.value_or(known != nullptr ? known->chain : std::string{});
}

base::Status Reference::prepare(
    pg::Connection& connection, std::span<const Claimed* const> claims, Time now)
{
    if (const auto read = readAssets(connection, claims, now); !read) return read.error();
    if (m_users.size() >= base::kIntakeUsersCached) m_users.clear();
    m_owners.clear();

    std::vector<std::int64_t> users;
    std::vector<std::string> chains;
    std::vector<std::string> addresses;
    for (const Claimed* claim : claims) {
        if (!hasUser(claim->user)) users.push_back(claim->user.value());
        if (claim->toAddress) {
            chains.push_back(chainOf(*claim));
            addresses.push_back(*claim->toAddress);
        }
    }
    std::vector<pg::Query> queries;
    if (!users.empty()) {
        queries.push_back({sql::kIntakeUsers, std::move(pg::Params{}.bigintArray(users))});
    }
    if (!addresses.empty()) {
        queries.push_back({sql::kIntakeAddressOwners,
            std::move(pg::Params{}.textArray(chains).textArray(addresses))});
    }
    if (queries.empty()) return base::Done{};

    const auto answers = connection.runPipeline(queries);
    if (!answers) return answers.error();
    if (!users.empty()) {
        const pg::Rows& rows = answers->front();
        for (int row = 0; row < rows.size(); ++row) m_users.insert(rows.bigint(row, 0));
    }
    if (!addresses.empty()) {
        const pg::Rows& rows = answers->back();
        for (int row = 0; row < rows.size(); ++row) {
            m_owners[{std::string{rows.text(row, 0)}, std::string{rows.text(row, 1)}}]
                = rows.bigint(row, 2);
        }
    }
    return base::Done{};
}

const Asset* Reference::asset(const std::string& code) const
{
    const auto found = m_assets.find(code);
    return found != m_assets.end() && found->second.enabled ? &found->second : nullptr;
}

bool Reference::hasUser(domain::UserId user) const
{
    return m_users.contains(user.value());
}

std::optional<domain::UserId> Reference::ownerOf(
    const std::string& chain, const std::string& address) const
{
    const auto found = m_owners.find({chain, address});
    if (found == m_owners.end()) return std::nullopt;
    return domain::UserId{found->second};
}

} // namespace ingest
