#include "processor/dispatch/pending_count.h"

#include <chrono>
#include <utility>

namespace dispatch {
namespace {

redis::ClientOptions inHaste(redis::ClientOptions options)
{
    options.connectTimeout = std::chrono::milliseconds{300};
    options.commandTimeout = std::chrono::milliseconds{300};
    return options;
}

} // namespace

PendingCount::PendingCount(redis::ClientOptions options, std::string group)
    : m_redis{inHaste(std::move(options))}
    , m_group{std::move(group)}
{
}

std::optional<std::int64_t> PendingCount::read()
{
    const std::lock_guard lock{m_mutex};
    const auto reply = m_redis.run({"XPENDING", kStream, m_group});
    // [count, least id, greatest id, consumers]
    if (!reply || reply->items.empty()) return std::nullopt;
    return reply->items[0].integer;
}

} // namespace dispatch
