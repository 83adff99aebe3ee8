#include "processor/dispatch/stream_aligner.h"

#include "processor/base/json_writer.h"
#include "processor/base/log.h"
#include "processor/pg/transaction.h"
#include "sql/relay.h"

#include <algorithm>
#include <utility>

namespace dispatch {
namespace {

constexpr std::string_view kNothingWritten = "0-0";

std::int64_t lowestOf(const std::vector<GroupPosition>& positions)
{
    CHECK(!positions.empty());
    return std::ranges::min(positions, {}, &GroupPosition::low).low;
}

base::Error actedMeanwhile()
{
    return {base::ErrorKind::Conflict, "another relay acts on the stream"};
}

} // namespace

StreamAligner::StreamAligner(
    Stream& stream, base::Alerter& alerter, std::vector<std::string> groups)
    : m_stream{stream}
    , m_alerter{alerter}
    , m_groups{std::move(groups)}
{}

base::Result<Alignment> StreamAligner::align(pg::Connection& connection)
{
    auto view = m_stream.look();
    if (!view) return view.error();
    if (view->lastGeneratedId == kNothingWritten) {
        return startAfresh(connection, std::move(*view));
    }
    auto same = tellsTheLog(connection, *view);
    if (!same) return same.error();
    if (!*same) {
        // Once more, now that both were read: another relay may have mended it in between.
        view = m_stream.look();
        if (!view) return view.error();
        same = tellsTheLog(connection, *view);
        if (!same) return same.error();
        if (!*same) return breakWith(connection, std::move(*view));
    }
    const auto bounds = readBounds(connection);
    if (!bounds) return bounds.error();
    const auto positions = readPositions(connection, *bounds);
    if (!positions) return positions.error();
    if (lacksGroup(*view, *positions)) {
        base::logWarning("stream lacks a group; made again at its stored position");
        const auto placed = m_stream.placeGroups(lowestOf(*positions), *positions);
        if (!placed) return placed.error();
    }
    const auto last = numberOfId(view->lastGeneratedId);
    if (!last) return actedMeanwhile(); // an empty stream of foreign ids that came just now
    return Alignment{*last, std::move(*view)};
}

// Compared after the stream was looked at: the line of each entry seen there is committed by then.
base::Result<bool> StreamAligner::tellsTheLog(
    pg::Connection& connection, const StreamView& view) const
{
    const auto last = numberOfId(view.lastGeneratedId);
    if (!last) return view.lastGeneratedId == kNothingWritten;
    const auto bounds = readBounds(connection);
    if (!bounds) return bounds.error();
    if (*last > bounds->last) return false;
    if (view.lastEntryId.empty()) return true; // deleted by hand; nothing speaks against it

    const auto number = numberOfId(view.lastEntryId);
    if (!number) return false;
    pg::Params params;
    params.bigint(*number);
    const auto rows = connection.run(sql::kRelayRow, params);
    if (!rows) return rows.error();
    return rows->size() == 1 && streamFields(readRelayedLines(*rows).front()) == view.lastEntry;
}

base::Result<StreamAligner::LogBounds> StreamAligner::readBounds(pg::Connection& connection) const
{
    const auto rows = connection.run(sql::kRelayBounds);
    if (!rows) return rows.error();
    CHECK(rows->size() == 1);
    return LogBounds{rows->bigint(0, 0), rows->bigint(0, 1), std::string{rows->text(0, 2)}};
}

base::Result<std::vector<GroupPosition>> StreamAligner::readPositions(
    pg::Connection& connection, const LogBounds& bounds) const
{
    auto rows = connection.run(sql::kRelayPositions);
    if (!rows) return rows.error();
    std::vector<GroupPosition> positions;
    // Before the log's first line there is nothing to deliver, behind its last nothing was.
    const std::int64_t least = std::max<std::int64_t>(bounds.first - 1, 0);
    const std::int64_t most = std::max(bounds.last, least);
    for (int row = 0; row < rows->size(); ++row) {
        positions.push_back(
            {std::string{rows->text(row, 0)}, std::clamp(rows->bigint(row, 1), least, most)});
    }
    std::vector<std::string> unknown;
    for (const std::string& group : m_groups) {
        if (std::ranges::find(positions, group, &GroupPosition::group) == positions.end()) {
            unknown.push_back(group);
            positions.push_back({group, least});
        }
    }
    if (!unknown.empty()) {
        pg::Params params;
        params.textArray(unknown);
        const auto added = connection.run(sql::kRelayPositionsAdd, params);
        if (!added) return added.error();
    }
    return positions;
}

bool StreamAligner::lacksGroup(
    const StreamView& view, const std::vector<GroupPosition>& positions) const
{
    return std::ranges::any_of(positions, [&view](const GroupPosition& position) {
        return std::ranges::find(view.groups, position.group, &GroupView::name)
            == view.groups.end();
    });
}

base::Result<Alignment> StreamAligner::startAfresh(pg::Connection& connection, StreamView view)
{
    const auto bounds = readBounds(connection);
    if (!bounds) return bounds.error();
    const auto positions = readPositions(connection, *bounds);
    if (!positions) return positions.error();

    const std::int64_t lowest = lowestOf(*positions);
    const bool isNeeded = !view.exists || lowest > 0 || lacksGroup(view, *positions);
    if (isNeeded) {
        const auto last = m_stream.placeGroups(lowest, *positions);
        if (!last) return last.error();
        if (numberOfId(*last) != lowest) return actedMeanwhile();
        base::logInfo("stream begun",
            {{"after", lowest}, {"groups", static_cast<std::int64_t>(positions->size())}});
    }
    view.length = 0;
    return Alignment{lowest, std::move(view)};
}

base::Result<Alignment> StreamAligner::breakWith(pg::Connection& connection, StreamView view)
{
    const auto bounds = readBounds(connection);
    if (!bounds) return bounds.error();
    const auto renewed = renewEpoch(connection, bounds->epoch);
    if (!renewed) return renewed.error();

    const std::string aside = m_stream.key() + ":diverged:" + bounds->epoch + ":" + *renewed;
    base::JsonWriter detail;
    detail.beginObject()
        .field("stream_last", view.lastGeneratedId)
        .field("stream_epoch", view.lastField("epoch"))
        .field("log_last", bounds->last)
        .field("log_epoch", bounds->epoch)
        .field("kept_as", aside)
        .endObject();
    m_alerter.raise(base::AlertLevel::Critical, "log_diverged",
        "LOG_DIVERGED: the stream does not tell the log's story (a failover to an older primary, a "
        "restore, or a foreign hand); it is set aside and built anew from the stored positions",
        detail.take());

    const auto isAside = m_stream.setAside(view.lastGeneratedId, aside);
    if (!isAside) return isAside.error();
    if (!*isAside) return actedMeanwhile();
    StreamView nothing;
    nothing.lastGeneratedId = kNothingWritten;
    return startAfresh(connection, std::move(nothing));
}

base::Result<std::string> StreamAligner::renewEpoch(
    pg::Connection& connection, const std::string& old) const
{
    pg::Params params;
    params.text(old);
    pg::Transaction transaction{connection};
    transaction.add(sql::kRelayPositionsLock)
        .add(sql::kRelayPositionsClamp)
        .add(sql::kRelayEpochRenew, std::move(params));
    const auto done = transaction.commit();
    if (!done) return done.error();
    CHECK(done->size() == 3);
    if (done->back().empty()) return actedMeanwhile();
    return std::string{done->back().text(0, 0)};
}

} // namespace dispatch
