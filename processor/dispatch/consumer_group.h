// ConsumerGroup: what one consumer of a group says to Redis; the entries are log numbers.
#pragma once

#include "processor/base/result.h"
#include "processor/redis/client.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace dispatch {

struct DeliveredEntry
{
    std::string id;
    std::optional<std::int64_t> no; // empty: an id that is none of ours
    std::string event; // empty when the body was trimmed or deleted meanwhile
};

struct PendingEntry
{
    std::int64_t no;
    std::int64_t deliveries;
};

struct ClaimedPage
{
    std::vector<DeliveredEntry> entries;
    std::string cursor; // "0-0": that was the last page
};

/// Uses the connection alone: a blocking read holds up everything behind it. Errors with code
/// "NOGROUP" mean that the stream or the group is not there; only the relay makes them.
class ConsumerGroup
{
public:
    ConsumerGroup(
        redis::ClientOptions options, std::string key, std::string group, std::string consumer);

    /// New entries; empty when none came within `block`.
    base::Result<std::vector<DeliveredEntry>> read(std::chrono::milliseconds block);
    base::Status acknowledge(std::span<const std::string> ids);

    /// Up to one page of what this consumer holds, in order, from number `from` on. Reading it this
    /// way does not count as a delivery.
    base::Result<std::vector<PendingEntry>> listOwn(std::int64_t from);
    /// Takes over a page of entries that their consumers have left alone for `idle`.
    base::Result<ClaimedPage> claimIdle(std::chrono::milliseconds idle, const std::string& cursor);
    /// Says that this consumer still minds its entries, so that nobody takes them over.
    base::Status keepClaim(std::span<const std::int64_t> numbers);

    /// Takes consumers off the group that hold nothing and were silent for `idle`.
    base::Status forgetOthers(std::chrono::milliseconds idle);
    /// Takes this consumer off the group if it holds nothing.
    base::Status leave();

    /// Name of this connection for unblock(); asked anew because it changes with each reconnect.
    base::Result<std::string> connectionId();

private:
    redis::Client m_redis;
    const std::string m_key;
    const std::string m_group;
    const std::string m_consumer;
};

/// "<no>-0".
std::string idOfNumber(std::int64_t number);

} // namespace dispatch
