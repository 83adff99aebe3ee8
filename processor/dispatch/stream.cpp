#include "processor/dispatch/stream.h"

#include "lua/stream.h"

#include <charconv>
#include <utility>

namespace dispatch {
namespace {

using redis::Reply;

constexpr std::size_t kValuesPerLine = 10;

// Our own script answered in another shape than it is written to: nothing can be concluded from it.
base::Error unexpected(std::string_view script)
{
    return {
        base::ErrorKind::Corrupt, "unexpected answer of the stream script " + std::string{script}};
}

std::optional<GroupView> groupOf(const Reply& reply)
{
    if (reply.items.size() != 4) {
        return std::nullopt;
    }
    GroupView group{
        .name = reply.items[0].text,
        .lastDelivered = numberOfId(reply.items[1].text),
        .pending = reply.items[2].integer,
        .oldestPending = {},
    };
    if (group.pending > 0) {
        group.oldestPending = numberOfId(reply.items[3].text);
    }
    return group;
}

} // namespace

std::optional<std::int64_t> numberOfId(std::string_view id)
{
    if (!id.ends_with("-0")) {
        return std::nullopt;
    }
    id.remove_suffix(2);
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), number);
    if (error != std::errc{} || end != id.data() + id.size() || number < 0) {
        return std::nullopt;
    }
    return number;
}

std::optional<std::int64_t> GroupView::low() const
{
    if (pending == 0) {
        return lastDelivered;
    }
    if (!oldestPending) {
        return std::nullopt;
    }
    return *oldestPending - 1;
}

std::string StreamView::lastField(std::string_view name) const
{
    for (const auto& [field, value] : lastEntry) {
        if (field == name) {
            return value;
        }
    }
    return {};
}

Stream::Stream(redis::ClientOptions options, std::string key)
    : m_redis{std::move(options)}
    , m_key{std::move(key)}
{}

base::Result<StreamView> Stream::look()
{
    const auto reply = m_redis.runScript(lua::kStreamLook, {m_key}, {});
    if (!reply) {
        return reply.error();
    }
    if (reply->items.size() != 7) {
        return unexpected("look");
    }
    const auto& items = reply->items;
    StreamView view{
        .exists = items[0].integer == 1,
        .lastGeneratedId = items[1].text,
        .length = items[2].integer,
        .first = numberOfId(items[3].text),
        .lastEntryId = items[4].text,
        .lastEntry = {},
        .groups = {},
    };
    for (std::size_t i = 0; i + 1 < items[5].items.size(); i += 2) {
        view.lastEntry.emplace_back(items[5].items[i].text, items[5].items[i + 1].text);
    }
    for (const Reply& raw : items[6].items) {
        auto group = groupOf(raw);
        if (!group) {
            return unexpected("look");
        }
        view.groups.push_back(std::move(*group));
    }
    return view;
}

base::Result<AppendAnswer> Stream::append(
    std::int64_t expectedLast, std::span<const RelayedLine> lines)
{
    CHECK(!lines.empty());
    CHECK(lines.front().no == expectedLast + 1);

    std::vector<std::string> arguments;
    arguments.reserve(2 + lines.size() * kValuesPerLine);
    arguments.push_back(std::to_string(expectedLast));
    arguments.push_back(lines.front().epoch);
    for (const RelayedLine& line : lines) {
        arguments.push_back(std::to_string(line.no));
        arguments.push_back(line.kind);
        arguments.push_back(line.paymentId);
        arguments.push_back(line.eventType);
        arguments.push_back(std::to_string(line.userId));
        arguments.push_back(line.merchantId.value_or(std::string{}));
        arguments.push_back(line.asset);
        arguments.push_back(line.amount);
        arguments.push_back(line.traceId);
        arguments.push_back(line.at);
    }
    const auto reply = m_redis.runScript(lua::kStreamAppend, {m_key}, arguments);
    if (!reply) {
        return reply.error();
    }
    if (reply->items.size() != 3) {
        return unexpected("append");
    }
    return AppendAnswer{
        reply->items[0].integer == 1, reply->items[1].text, reply->items[2].integer};
}

base::Result<std::string> Stream::placeGroups(
    std::int64_t lowest, std::span<const GroupPosition> positions)
{
    std::vector<std::string> arguments{std::to_string(lowest)};
    for (const GroupPosition& position : positions) {
        CHECK(position.low >= lowest);
        arguments.push_back(position.group);
        arguments.push_back(std::to_string(position.low));
    }
    const auto reply = m_redis.runScript(lua::kStreamGroups, {m_key}, arguments);
    if (!reply) {
        return reply.error();
    }
    return reply->text;
}

base::Result<bool> Stream::setAside(const std::string& lastGeneratedId, const std::string& newKey)
{
    const auto reply = m_redis.runScript(lua::kStreamSetAside, {m_key, newKey}, {lastGeneratedId});
    if (!reply) {
        return reply.error();
    }
    return reply->integer == 1;
}

base::Result<std::int64_t> Stream::trim(std::int64_t number, const std::string& epoch)
{
    const auto reply
        = m_redis.runScript(lua::kStreamTrim, {m_key}, {std::to_string(number), epoch});
    if (!reply) {
        return reply.error();
    }
    return reply->integer;
}

} // namespace dispatch
