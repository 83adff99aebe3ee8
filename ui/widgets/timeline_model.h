// TimelineModel: what happened to a payment, in order, with its gaps and its silent sources.
#pragma once

#include "ui/widgets/amount_text.h"
#include "ui/widgets/time_text.h"
#include "ui/widgets/words.h"

#include <QAbstractListModel>
#include <QDateTime>
#include <QList>
#include <QString>

#include <chrono>
#include <optional>

namespace ui {

struct TimelineEntry
{
    qint64 id = 0; // unique in the list; opens the raw record
    QString kind = {}; // for the kinds' chips: "chain", "deliveries", "states", "money", "people"
    QDateTime at = {}; // UTC
    bool hasMilliseconds = true;
    Icon icon = Icon::Info;
    IconTone tone = IconTone::Muted;
    QString bold = {}; // "Delivery 2 suppressed"
    QString plain = {}; // "from quicknode-eu"
    std::optional<AmountText> amount = {}; // money that moved, behind the title
    QString detail = {}; // one line of evidence
    std::optional<StateWord> badge = {};
};

/**
 * A source that did not answer is an entry like any other, with the shape and word of Unknown: it
 * is not missing. Silences of an hour and more are rows of their own, as long as nothing is hidden.
 */
class TimelineModel final : public QAbstractListModel
{
    Q_OBJECT

public:
    static constexpr std::chrono::hours kGap{1};

    explicit TimelineModel(QObject* parent = nullptr);

    /** Oldest first. */
    void setEntries(const QList<TimelineEntry>& entries);
    /** Shows one kind; empty: all. */
    void setKind(const QString& kind);
    /** How many entries of this kind there are; empty: all. */
    int count(const QString& kind) const;
    void setZone(Zone zone);
    Zone zone() const { return m_zone; }
    /** What decides whether a time is of today. */
    void setNow(const QDateTime& now);

    /** The entry of a row; nullptr for a gap. */
    const TimelineEntry* entryAt(int row) const;
    int rowOf(qint64 id) const;
    QString timeTextAt(int row) const;
    QString gapTextAt(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    struct Row
    {
        qsizetype entry = -1; // -1: a gap
        std::chrono::milliseconds gap{0};
    };
    void rebuild();

    QList<TimelineEntry> m_entries;
    QList<Row> m_rows;
    QString m_kind;
    Zone m_zone = Zone::Utc;
    QDateTime m_now;
};

} // namespace ui
