#include "processor/dispatch/consumer_group.h"

#include "lua/stream.h"
#include "processor/base/limits.h"
#include "processor/dispatch/stream.h"

#include <utility>

namespace dispatch {
namespace {

using redis::Reply;

const std::string kPage = std::to_string(base::kStreamReadMax);

// Redis before 7.0 lists deleted entries as nil, or with a nil body; since 7.0 only a reader's own
// history does so.
std::optional<DeliveredEntry> entryOf(const Reply& reply)
{
    if (reply.type != Reply::Type::Array || reply.items.empty()) return std::nullopt;
    DeliveredEntry entry{
        .id = reply.items[0].text, .no = numberOfId(reply.items[0].text), .event = {}};
    if (reply.items.size() > 1) {
        const auto& fields = reply.items[1].items;
        for (std::size_t i = 0; i + 1 < fields.size(); i += 2) {
            if (fields[i].text == "event") entry.event = fields[i + 1].text;
        }
    }
    return entry;
}

std::vector<DeliveredEntry> entriesOf(const Reply& list)
{
    std::vector<DeliveredEntry> entries;
    entries.reserve(list.items.size());
    for (const Reply& item : list.items) {
        if (auto entry = entryOf(item); entry) entries.push_back(std::move(*entry));
    }
    return entries;
}

base::Status statusOf(const base::Result<Reply>& reply)
{
    if (!reply) return reply.error();
    return base::Done{};
}

} // namespace

std::string idOfNumber(std::int64_t number)
{
    return std::to_string(number) + "-0";
}

ConsumerGroup::ConsumerGroup(
    redis::ClientOptions options, std::string key, std::string group, std::string consumer)
    : m_redis{std::move(options)}
    , m_key{std::move(key)}
    , m_group{std::move(group)}
    , m_consumer{std::move(consumer)}
{
    CHECK(!m_consumer.empty());
}

base::Result<std::vector<DeliveredEntry>> ConsumerGroup::read(std::chrono::milliseconds block)
{
    CHECK(block.count() > 0); // BLOCK 0 would wait for ever
    const std::string patience = std::to_string(block.count());
    const auto reply = m_redis.runBlocking({"XREADGROUP", "GROUP", m_group, m_consumer, "COUNT",
                                               kPage, "BLOCK", patience, "STREAMS", m_key, ">"},
        block);
    if (!reply) return reply.error();
    // One stream was asked for: [[key, entries]], or nil.
    if (reply->items.empty() || reply->items[0].items.size() < 2) {
        return std::vector<DeliveredEntry>{};
    }
    return entriesOf(reply->items[0].items[1]);
}

base::Status ConsumerGroup::acknowledge(std::span<const std::string> ids)
{
    if (ids.empty()) return base::Done{};
    std::vector<std::string_view> command{"XACK", m_key, m_group};
    command.insert(command.end(), ids.begin(), ids.end());
    return statusOf(m_redis.run(command));
}

base::Result<std::vector<PendingEntry>> ConsumerGroup::listOwn(std::int64_t from)
{
    const std::string start = idOfNumber(from);
    const auto reply = m_redis.run({"XPENDING", m_key, m_group, start, "+", kPage, m_consumer});
    if (!reply) return reply.error();
    std::vector<PendingEntry> pending;
    for (const Reply& item : reply->items) {
        // [id, consumer, idle, deliveries]
        if (item.items.size() < 4) continue;
        if (const auto no = numberOfId(item.items[0].text); no) {
            pending.push_back({*no, item.items[3].integer});
        }
    }
    return pending;
}

base::Result<ClaimedPage> ConsumerGroup::claimIdle(
    std::chrono::milliseconds idle, const std::string& cursor)
{
    const std::string least = std::to_string(idle.count());
    const auto reply
        = m_redis.run({"XAUTOCLAIM", m_key, m_group, m_consumer, least, cursor, "COUNT", kPage});
    if (!reply) return reply.error();
    if (reply->items.size() < 2) {
        return base::Error{base::ErrorKind::Corrupt, "unexpected answer to XAUTOCLAIM"};
    }
    return ClaimedPage{entriesOf(reply->items[1]), reply->items[0].text};
}

base::Status ConsumerGroup::keepClaim(std::span<const std::int64_t> numbers)
{
    if (numbers.empty()) return base::Done{};
    std::vector<std::string> ids;
    ids.reserve(numbers.size());
    for (const std::int64_t number : numbers) ids.push_back(idOfNumber(number));
    std::vector<std::string_view> command{"XCLAIM", m_key, m_group, m_consumer, "0"};
    command.insert(command.end(), ids.begin(), ids.end());
    command.emplace_back("JUSTID"); // resets the idle time, counts no delivery
    return statusOf(m_redis.run(command));
}

base::Status ConsumerGroup::forgetOthers(std::chrono::milliseconds idle)
{
    return statusOf(m_redis.runScript(lua::kStreamForgetConsumers, {m_key},
        {m_group, std::to_string(idle.count()), "", m_consumer}));
}

base::Status ConsumerGroup::leave()
{
    return statusOf(m_redis.runScript(
        lua::kStreamForgetConsumers, {m_key}, {m_group, "0", m_consumer, m_consumer}));
}

base::Result<std::string> ConsumerGroup::connectionId()
{
    const auto reply = m_redis.run({"CLIENT", "ID"});
    if (!reply) return reply.error();
    return std::to_string(reply->integer);
}

} // namespace dispatch
