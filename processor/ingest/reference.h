// Reference: assets, users and deposit addresses as intake needs them to judge a delivery.
#pragma once

#include "processor/base/result.h"
#include "processor/ingest/delivery.h"
#include "processor/pg/connection.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace ingest {

struct Asset
{
    std::string chain;
    bool enabled;
};

/// Users cannot be deleted, so one that has been seen exists; assets are read again after a few
/// seconds, and at once when a delivery names one that is not known; owners of addresses are read
/// every time. One thread.
class Reference
{
public:
    using Time = std::chrono::steady_clock::time_point;

    /// Reads what the deliveries need and is not known yet; afterwards the questions below have
    /// answers for them. Usually nothing is to be read.
    base::Status prepare(
        pg::Connection& connection, std::span<const Claimed* const> claims, Time now);

    /// The asset, if it exists and is enabled.
    [[nodiscard]] const Asset* asset(const std::string& code) const;
    [[nodiscard]] bool hasUser(domain::UserId user) const;
    [[nodiscard]] std::optional<domain::UserId> ownerOf(
        const std::string& chain, const std::string& address) const;

private:
    base::Status readAssets(
        pg::Connection& connection, std::span<const Claimed* const> claims, Time now);
    [[nodiscard]] std::string chainOf(const Claimed& claim) const;

    std::unordered_map<std::string, Asset> m_assets;
    std::optional<Time> m_assetsReadAt;
    std::unordered_set<std::int64_t> m_users;
    std::map<std::pair<std::string, std::string>, std::int64_t> m_owners;
};

} // namespace ingest
