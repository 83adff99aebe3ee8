#include "processor/dispatch/consumer_janitor.h"

#include "lua/stream.h"
#include "processor/dispatch/stream_names.h"

#include <algorithm>
#include <array>
#include <utility>

namespace dispatch {
namespace {

const std::string kClaimPage = std::to_string(base::kStreamReadMax);
// So that the next reader that looks for idle entries takes them at once.
const std::string kIdleAfterwards
    = std::to_string(std::chrono::milliseconds{base::kStreamIdleClaim}.count());

constexpr std::string_view kDecimals = "0123456789";
constexpr std::string_view kHexadecimals = "0123456789abcdef";

bool consistsOf(std::string_view text, std::string_view allowed)
{
    return !text.empty() && text.find_first_not_of(allowed) == std::string_view::npos;
}

std::string_view cutLastPart(std::string_view& text)
{
    const auto colon = text.rfind(':');
    if (colon == std::string_view::npos) return {};
    const std::string_view part = text.substr(colon + 1);
    text = text.substr(0, colon);
    return part;
}

/// Without a stream or a group there is nobody to look after; the relay will make them.
bool isMissing(const base::Error& error)
{
    return error.code == "NOGROUP" || error.message.find("no such key") != std::string::npos;
}

} // namespace

std::string SweepReport::text() const
{
    if (claimed == 0 && removed == 0) return {};
    return "entries claimed " + std::to_string(claimed) + ", consumers removed "
        + std::to_string(removed);
}

bool isInstanceName(std::string_view name)
{
    const bool hasTimes
        = consistsOf(cutLastPart(name), kDecimals) && consistsOf(cutLastPart(name), kDecimals);
    const std::string_view boot = cutLastPart(name);
    return hasTimes && boot.size() == 8 && consistsOf(boot, kHexadecimals) && !name.empty();
}

ConsumerJanitor::ConsumerJanitor(redis::ClientOptions options, std::chrono::milliseconds silence)
    : m_redis{std::move(options)}
    , m_silence{silence}
{}

base::Result<SweepReport> ConsumerJanitor::sweep(const std::set<std::string>& live)
{
    SweepReport report;
    for (const std::string_view group : kGroups) {
        const auto swept = sweepGroup(group, live, report);
        if (!swept && !isMissing(swept.error())) return swept.error();
    }
    return report;
}

base::Result<std::vector<ConsumerJanitor::Consumer>> ConsumerJanitor::list(std::string_view group)
{
    const auto reply = m_redis.run({"XINFO", "CONSUMERS", kStream, group});
    if (!reply) return reply.error();
    std::vector<Consumer> consumers;
    for (const redis::Reply& raw : reply->items) {
        Consumer consumer{.name = {}, .pending = 0, .silence = {}};
        for (std::size_t i = 0; i + 1 < raw.items.size(); i += 2) {
            const std::string& field = raw.items[i].text;
            const redis::Reply& value = raw.items[i + 1];
            if (field == "name") consumer.name = value.text;
            if (field == "pending") consumer.pending = value.integer;
            if (field == "idle") consumer.silence = std::chrono::milliseconds{value.integer};
        }
        consumers.push_back(std::move(consumer));
    }
    return consumers;
}

base::Status ConsumerJanitor::sweepGroup(
    std::string_view group, const std::set<std::string>& live, SweepReport& report)
{
    const auto consumers = list(group);
    if (!consumers) return consumers.error();
    const Consumer* heir = nullptr; // the live one with the least to do
    for (const Consumer& consumer : *consumers) {
        if (!live.contains(consumer.name)) continue;
        if (heir == nullptr || consumer.pending < heir->pending) heir = &consumer;
    }
    const std::string to = heir != nullptr ? heir->name : std::string{kJanitor};

    std::vector<std::string> dead;
    for (const Consumer& consumer : *consumers) {
        const bool isKeeper = consumer.name == kJanitor;
        const bool mayBeDead = isKeeper ? heir != nullptr : isInstanceName(consumer.name);
        if (!mayBeDead || live.contains(consumer.name)) continue;
        if (consumer.silence < m_silence && !isKeeper) continue;
        dead.push_back(consumer.name);
        if (consumer.pending == 0) continue;
        const auto claimed = claimAll(group, consumer.name, to);
        if (!claimed) return claimed.error();
        report.claimed += *claimed;
    }
    const auto removed = remove(group, dead);
    if (!removed) return removed.error();
    report.removed += *removed;
    return base::Done{};
}

// Page by page, always the first: what is claimed is no longer on the list. Not counted as a
// delivery, for nobody has been given anything yet.
base::Result<std::int64_t> ConsumerJanitor::claimAll(
    std::string_view group, const std::string& from, const std::string& heir)
{
    std::int64_t claimed = 0;
    std::string first;
    for (;;) {
        const auto page = m_redis.run({"XPENDING", kStream, group, "-", "+", kClaimPage, from});
        if (!page) return page.error();
        if (page->items.empty() || page->items.front().items.empty()) return claimed;
        // Nothing moved: somebody else is at the same, or the entries came to it just now.
        const std::string& begin = page->items.front().items.front().text;
        if (begin == first) return claimed;
        first = begin;

        std::vector<std::string_view> command{"XCLAIM", kStream, group, heir, "0"};
        for (const redis::Reply& entry : page->items) command.push_back(entry.items.front().text);
        command.insert(command.end(), {"IDLE", kIdleAfterwards, "JUSTID"});
        const auto moved = m_redis.run(command);
        if (!moved) return moved.error();
        claimed += static_cast<std::int64_t>(moved->items.size());
    }
}

base::Result<std::int64_t> ConsumerJanitor::remove(
    std::string_view group, const std::vector<std::string>& names)
{
    constexpr std::size_t kAtOnce = 1'000; // names of one script
    std::int64_t removed = 0;
    for (std::size_t from = 0; from < names.size(); from += kAtOnce) {
        const auto end = std::min(names.size(), from + kAtOnce);
        std::vector<std::string> arguments{std::string{group}, std::to_string(m_silence.count())};
        arguments.insert(arguments.end(), names.begin() + static_cast<std::ptrdiff_t>(from),
            names.begin() + static_cast<std::ptrdiff_t>(end));
        const auto reply
            = m_redis.runScript(lua::kStreamForgetNamed, {std::string{kStream}}, arguments);
        if (!reply) return reply.error();
        removed += reply->integer;
    }
    return removed;
}

} // namespace dispatch
