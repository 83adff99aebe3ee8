#include "ui/widgets/timeline_model.h"

#include "ui/data/cell_role.h"

#include <algorithm>

namespace ui {

TimelineModel::TimelineModel(QObject* parent)
    : QAbstractListModel{parent}
    , m_now{QDateTime::currentDateTimeUtc()}
{}

void TimelineModel::setEntries(const QList<TimelineEntry>& entries)
{
    m_entries = entries;
    rebuild();
}

void TimelineModel::setKind(const QString& kind)
{
    m_kind = kind;
    rebuild();
}

int TimelineModel::count(const QString& kind) const
{
    return int(std::count_if(m_entries.begin(), m_entries.end(),
        [&](const TimelineEntry& entry) { return kind.isEmpty() || entry.kind == kind; }));
}

void TimelineModel::setZone(Zone zone)
{
    m_zone = zone;
    if (!m_rows.isEmpty()) {
        emit dataChanged(index(0), index(int(m_rows.size()) - 1));
    }
}

void TimelineModel::setNow(const QDateTime& now)
{
    m_now = now;
    setZone(m_zone);
}

const TimelineEntry* TimelineModel::entryAt(int row) const
{
    if (row < 0 || row >= m_rows.size() || m_rows[row].entry < 0) {
        return nullptr;
    }
    return &m_entries[m_rows[row].entry];
}

int TimelineModel::rowOf(qint64 id) const
{
    for (int row = 0; row < m_rows.size(); ++row) {
        if (const TimelineEntry* entry = entryAt(row); entry != nullptr && entry->id == id) {
            return row;
        }
    }
    return -1;
}

QString TimelineModel::timeTextAt(int row) const
{
    const TimelineEntry* entry = entryAt(row);
    if (entry == nullptr) {
        return {};
    }
    const auto precision = entry->hasMilliseconds ? time_text::Precision::Milliseconds
                                                  : time_text::Precision::Seconds;
    return time_text::shown(entry->at, m_now, m_zone, precision);
}

QString TimelineModel::gapTextAt(int row) const
{
    return tr("%1 without an entry").arg(time_text::duration(m_rows[row].gap));
}

int TimelineModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

QVariant TimelineModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const TimelineEntry* entry = entryAt(index.row());
    if (entry == nullptr) {
        return role == Qt::DisplayRole || role == Qt::AccessibleTextRole
            ? QVariant{gapTextAt(index.row())}
            : QVariant{};
    }
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole: {
        QStringList parts{time_text::withZone(entry->at, m_now, m_zone),
            (entry->bold + u' ' + entry->plain).trimmed()};
        if (entry->amount) {
            parts << entry->amount->displayed();
        }
        if (!entry->detail.isEmpty()) {
            parts << entry->detail;
        }
        if (entry->badge) {
            parts << entry->badge->text;
        }
        return parts.join(QStringLiteral(", "));
    }
    case Qt::ToolTipRole:
        return time_text::iso(entry->at) + u'\n' + entry->detail;
    case RawRole:
        return entry->at;
    case RowIdRole:
        return entry->id;
    default:
        return {};
    }
}

// A gap is nothing to stand on: arrow keys pass over what is not enabled.
Qt::ItemFlags TimelineModel::flags(const QModelIndex& index) const
{
    if (!index.isValid()) {
        return Qt::NoItemFlags;
    }
    return entryAt(index.row()) == nullptr
        ? Qt::ItemFlags{Qt::ItemNeverHasChildren}
        : Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
}

void TimelineModel::rebuild()
{
    beginResetModel();
    m_rows.clear();
    const TimelineEntry* before = nullptr;
    for (qsizetype i = 0; i < m_entries.size(); ++i) {
        const TimelineEntry& entry = m_entries[i];
        if (!m_kind.isEmpty() && entry.kind != m_kind) {
            continue;
        }
        // With entries hidden "without an entry" would be a claim that is not true.
        if (m_kind.isEmpty() && before != nullptr && before->at.isValid() && entry.at.isValid()) {
            const std::chrono::milliseconds silence{before->at.msecsTo(entry.at)};
            if (silence >= kGap) {
                m_rows << Row{-1, silence};
            }
        }
        m_rows << Row{i, {}};
        before = &entry;
    }
    endResetModel();
}

} // namespace ui
