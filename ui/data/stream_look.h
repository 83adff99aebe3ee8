// StreamLook: what Redis knows of log numbers in the stream and of its groups, read in one go.
#pragma once

#include "processor/redis/client.h"

#include <QDateTime>
#include <QHash>
#include <QList>
#include <QString>

#include <optional>

namespace ui {

struct GroupLook
{
    QString name = {};
    std::optional<qint64> lastDelivered = {}; // log number; empty: an id that is none of ours
    qint64 pending = 0;
    std::optional<qint64> lag = {}; // lines not given to it yet; empty: cannot be told, not 0
};

/** Where one entry stands with one group. */
struct EntryDelivery
{
    enum class State { NotYet, Pending, Acknowledged, Unknown };

    QString group = {};
    State state = State::Unknown;
    QString consumer = {}; // while pending
    qint64 idleMs = 0;
    qint64 deliveries = 0;
};

struct EntryLook
{
    enum class Presence {
        InStream,
        Trimmed, // was there; every required group has acknowledged it
        NotYet, // above the stream's last number
    };

    qint64 no = 0;
    Presence presence = Presence::NotYet;
    QList<EntryDelivery> deliveries = {}; // one per group
};

struct StreamLook
{
    bool exists = false;
    std::optional<qint64> last = {}; // number of the last entry ever appended
    QList<GroupLook> groups = {};
    QHash<qint64, EntryLook> entries = {};
    QDateTime at = {}; // UTC, this computer's clock
};

/** Read commands only; two round trips. Numbers are those of the log (`<no>-0` in the stream). */
base::Result<StreamLook> lookAtStream(redis::Client& client, const QList<qint64>& numbers);

} // namespace ui
