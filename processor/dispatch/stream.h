// Stream: the scripts of lua/ as typed functions; nothing else writes the stream's structure.
#pragma once

#include "processor/base/result.h"
#include "processor/dispatch/relayed_line.h"
#include "processor/redis/client.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dispatch {

struct GroupView
{
    std::string name;
    std::optional<std::int64_t> lastDelivered; // empty: an id that is none of ours
    std::int64_t pending = 0;
    std::optional<std::int64_t> oldestPending; // empty when nothing is pending

    /// Everything up to this number has been acknowledged; empty when the ids are none of ours.
    [[nodiscard]] std::optional<std::int64_t> low() const;
};

struct StreamView
{
    bool exists = false;
    std::string lastGeneratedId; // "0-0" when nothing was ever written
    std::int64_t length = 0;
    std::optional<std::int64_t> first; // number of the first entry still there
    std::string lastEntryId; // empty when the stream holds no entry
    StreamFields lastEntry;
    std::vector<GroupView> groups;

    /// The value of a field of the last entry, or empty.
    [[nodiscard]] std::string lastField(std::string_view name) const;
};

struct GroupPosition
{
    std::string group;
    std::int64_t low = 0;
};

struct AppendAnswer
{
    bool isWritten;
    std::string lastGeneratedId; // as it is now
    std::int64_t length;
};

/// The number in "<no>-0"; empty for any other id. Ids are the log's numbers, so nobody may write
/// others.
std::optional<std::int64_t> numberOfId(std::string_view id);

class Stream
{
public:
    Stream(redis::ClientOptions options, std::string key);

    base::Result<StreamView> look();
    /// Writes the lines only if `expectedLast` is the last number and the last entry carries their
    /// epoch.
    base::Result<AppendAnswer> append(
        std::int64_t expectedLast, std::span<const RelayedLine> lines);
    /// Makes the groups stand; sets a stream that never held an entry to `lowest`. The last id.
    base::Result<std::string> placeGroups(
        std::int64_t lowest, std::span<const GroupPosition> positions);
    /// False when the stream no longer ends with `lastGeneratedId`.
    base::Result<bool> setAside(const std::string& lastGeneratedId, const std::string& newKey);
    /// Drops entries below `number`; how many. Nothing when the stream is of another epoch.
    base::Result<std::int64_t> trim(std::int64_t number, const std::string& epoch);

    [[nodiscard]] const std::string& key() const { return m_key; }

private:
    redis::Client m_redis;
    const std::string m_key;
};

} // namespace dispatch
