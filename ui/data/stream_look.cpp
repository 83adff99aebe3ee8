#include "ui/data/stream_look.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

namespace ui {
namespace {

using redis::Reply;

// The public names of dispatch; the console reads them and nothing else in there.
const std::string kStreamKey = "payments:events";

std::string idOf(qint64 no)
{
    return std::to_string(no) + "-0";
}

std::optional<qint64> numberOf(std::string_view id)
{
    if (!id.ends_with("-0")) return std::nullopt;
    id.remove_suffix(2);
    qint64 number = 0;
    const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), number);
    if (error != std::errc{} || end != id.data() + id.size()) return std::nullopt;
    return number;
}

/// The value behind `name` in a flat list of names and values.
const Reply* fieldOf(const Reply& map, std::string_view name)
{
    for (std::size_t i = 0; i + 1 < map.items.size(); i += 2) {
        if (map.items[i].text == name) return &map.items[i + 1];
    }
    return nullptr;
}

GroupLook groupOf(const Reply& reply, std::optional<qint64> last)
{
    GroupLook group;
    if (const auto* name = fieldOf(reply, "name")) group.name = QString::fromStdString(name->text);
    if (const auto* pending = fieldOf(reply, "pending")) group.pending = pending->integer;
    if (const auto* id = fieldOf(reply, "last-delivered-id")) {
        group.lastDelivered = numberOf(id->text);
    }
    // Redis' own `lag` is absent before 7 and null after a trim; numbers without gaps need no help.
    if (last && group.lastDelivered) group.lag = std::max<qint64>(0, *last - *group.lastDelivered);
    return group;
}

EntryDelivery deliveryOf(const GroupLook& group, qint64 no, const Reply& pending)
{
    EntryDelivery delivery;
    delivery.group = group.name;
    if (pending.type != Reply::Type::Array) return delivery;
    if (!pending.items.empty() && pending.items[0].items.size() == 4) {
        const auto& item = pending.items[0].items;
        delivery.state = EntryDelivery::State::Pending;
        delivery.consumer = QString::fromStdString(item[1].text);
        delivery.idleMs = item[2].integer;
        delivery.deliveries = item[3].integer;
    } else if (group.lastDelivered) {
        delivery.state = no <= *group.lastDelivered ? EntryDelivery::State::Acknowledged
                                                    : EntryDelivery::State::NotYet;
    }
    return delivery;
}

std::vector<std::vector<std::string>> questions(
    const QList<qint64>& numbers, const QList<GroupLook>& groups)
{
    std::vector<std::vector<std::string>> commands;
    for (const qint64 no : numbers) {
        commands.push_back({"XRANGE", kStreamKey, idOf(no), idOf(no), "COUNT", "1"});
        for (const auto& group : groups) {
            commands.push_back(
                {"XPENDING", kStreamKey, group.name.toStdString(), idOf(no), idOf(no), "1"});
        }
    }
    return commands;
}

} // namespace

base::Result<StreamLook> lookAtStream(redis::Client& client, const QList<qint64>& numbers)
{
    StreamLook look;
    look.at = QDateTime::currentDateTimeUtc();
    auto frame
        = client.runPipeline({{"XINFO", "STREAM", kStreamKey}, {"XINFO", "GROUPS", kStreamKey}});
    if (!frame) return frame.error();
    const Reply& stream = (*frame)[0];
    if (stream.type == Reply::Type::Error) {
        if (stream.text.find("no such key") != std::string::npos) return look;
        return base::Error{base::ErrorKind::Unavailable, stream.text};
    }
    look.exists = true;
    if (const auto* id = fieldOf(stream, "last-generated-id")) look.last = numberOf(id->text);
    for (const auto& group : (*frame)[1].items) look.groups << groupOf(group, look.last);

    if (numbers.isEmpty()) return look;
    auto answers = client.runPipeline(questions(numbers, look.groups));
    if (!answers) return answers.error();
    std::size_t next = 0;
    for (const qint64 no : numbers) {
        EntryLook entry;
        entry.no = no;
        const Reply& range = (*answers)[next++];
        if (range.type == Reply::Type::Array && !range.items.empty()) {
            entry.presence = EntryLook::Presence::InStream;
        } else if (look.last && no <= *look.last) {
            entry.presence = EntryLook::Presence::Trimmed;
        }
        for (const auto& group : std::as_const(look.groups)) {
            entry.deliveries << deliveryOf(group, no, (*answers)[next++]);
        }
        look.entries.insert(no, entry);
    }
    return look;
}

} // namespace ui
