// ConsumerJanitor: takes what dead consumers hold away from them, and them off the groups.
#pragma once

#include "processor/base/limits.h"
#include "processor/base/result.h"
#include "processor/redis/client.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace dispatch {

struct SweepReport
{
    std::int64_t claimed = 0; // entries taken over
    std::int64_t removed = 0; // consumers

    [[nodiscard]] std::string text() const; // empty when there was nothing
};

/// Where no consumer of a group is alive, this one keeps what the dead held, until one is.
inline constexpr std::string_view kJanitor = "janitor";

/// A consumer is dead when its name is an instance's, no such instance gives signs of life, and it
/// has been silent in Redis, too: after an outage of PostgreSQL no heartbeat is fresh, but readers
/// read on. Every start of a process has a name of its own, so without this the groups would grow.
class ConsumerJanitor
{
public:
    explicit ConsumerJanitor(
        redis::ClientOptions options, std::chrono::milliseconds silence = base::kConsumerDead);

    /// All groups of ours. `live` are the instances that give signs of life.
    base::Result<SweepReport> sweep(const std::set<std::string>& live);

private:
    struct Consumer
    {
        std::string name;
        std::int64_t pending;
        std::chrono::milliseconds silence;
    };

    base::Result<std::vector<Consumer>> list(std::string_view group);
    base::Status sweepGroup(
        std::string_view group, const std::set<std::string>& live, SweepReport& report);
    base::Result<std::int64_t> claimAll(
        std::string_view group, const std::string& from, const std::string& heir);
    base::Result<std::int64_t> remove(
        std::string_view group, const std::vector<std::string>& names);

    redis::Client m_redis;
    const std::chrono::milliseconds m_silence;
};

/// "<host>:<8 hexadecimal digits>:<pid>:<start>", as InstanceIdentity::instance.
[[nodiscard]] bool isInstanceName(std::string_view name);

} // namespace dispatch
