#include "processor/dispatch/stream_positions.h"

#include "processor/base/json_writer.h"
#include "sql/relay.h"

#include <algorithm>
#include <string>

namespace dispatch {
namespace {

// One step of trimming holds Redis up for about 10 ms.
constexpr std::int64_t kTrimStep = 50'000;

} // namespace

StreamPositions::StreamPositions(
    Stream& stream, base::Alerter& alerter, base::Metrics& metrics, std::int64_t trimBlockedEntries)
    : m_stream{stream}
    , m_alerter{alerter}
    , m_metrics{metrics}
    , m_trimBlockedEntries{trimBlockedEntries}
{
    CHECK(trimBlockedEntries > 0);
}

base::Result<std::int64_t> StreamPositions::keep(
    pg::Connection& connection, const StreamView& view, std::int64_t last)
{
    show(view, last);
    if (view.lastEntryId.empty()) return 0; // nothing was delivered, and nothing can be trimmed

    if (const auto stored = store(connection, view); !stored) return stored.error();
    const auto stored = readStored(connection);
    if (!stored) return stored.error();
    tellWhoBlocks(*stored, last);

    // A group whose position could not be stored (yet) keeps everything.
    const bool areAllStored = std::ranges::all_of(view.groups, [&stored](const GroupView& group) {
        return std::ranges::find(*stored, group.name, &GroupPosition::group) != stored->end();
    });
    if (!areAllStored || stored->empty()) return 0;
    return trimTo(view, std::ranges::min(*stored, {}, &GroupPosition::low).low);
}

base::Status StreamPositions::store(pg::Connection& connection, const StreamView& view) const
{
    std::vector<std::string> names;
    std::vector<std::int64_t> lows;
    for (const GroupView& group : view.groups) {
        if (const auto low = group.low(); low) {
            names.push_back(group.name);
            lows.push_back(*low);
        }
    }
    const auto number = numberOfId(view.lastEntryId);
    if (names.empty() || !number) return base::Done{};
    pg::Params params;
    params.textArray(names)
        .bigintArray(lows)
        .text(view.lastField("epoch"))
        .bigint(*number)
        .text(view.lastField("event"))
        .text(view.lastField("payment_id"))
        .text(view.lastField("trace_id"))
        .text(view.lastField("at"));
    if (const auto stored = connection.run(sql::kRelayPositionsStore, params); !stored) {
        return stored.error();
    }
    return base::Done{};
}

base::Result<std::vector<GroupPosition>> StreamPositions::readStored(
    pg::Connection& connection) const
{
    const auto rows = connection.run(sql::kRelayPositions);
    if (!rows) return rows.error();
    std::vector<GroupPosition> positions;
    for (int row = 0; row < rows->size(); ++row) {
        positions.push_back({std::string{rows->text(row, 0)}, rows->bigint(row, 1)});
    }
    return positions;
}

void StreamPositions::show(const StreamView& view, std::int64_t last)
{
    m_metrics.gauge("countersign_stream_length", "Entries in payments:events.").set(view.length);
    for (const GroupView& group : view.groups) {
        const base::MetricLabels labels{{"group", group.name}};
        m_metrics
            .gauge(
                "countersign_stream_group_lag", "Entries the group has not acknowledged.", labels)
            .set(std::max<std::int64_t>(last - group.low().value_or(last), 0));
        m_metrics
            .gauge("countersign_stream_group_pending",
                "Entries delivered to a consumer of the group and not yet acknowledged.", labels)
            .set(group.pending);
    }
}

void StreamPositions::tellWhoBlocks(const std::vector<GroupPosition>& stored, std::int64_t last)
{
    if (stored.empty()) return;
    const std::int64_t lowest = std::ranges::min(stored, {}, &GroupPosition::low).low;
    if (last - lowest < m_trimBlockedEntries) return;
    for (const GroupPosition& position : stored) {
        if (position.low != lowest) continue;
        base::JsonWriter detail;
        detail.beginObject()
            .field("group", position.group)
            .field("position", position.low)
            .field("last", last)
            .endObject();
        m_alerter.raise(base::AlertLevel::Warning, "stream_trim_blocked:" + position.group,
            "group " + position.group + " has not acknowledged "
                + std::to_string(last - position.low)
                + " entries of the stream; nothing behind its position is trimmed",
            detail.take());
    }
}

base::Result<std::int64_t> StreamPositions::trimTo(const StreamView& view, std::int64_t lowest)
{
    std::int64_t dropped = 0;
    std::int64_t first = view.first.value_or(lowest);
    while (first < lowest) {
        const std::int64_t until = std::min(lowest, first + kTrimStep);
        const auto trimmed = m_stream.trim(until, view.lastField("epoch"));
        if (!trimmed) return trimmed.error();
        dropped += *trimmed;
        first = until;
    }
    return dropped;
}

} // namespace dispatch
