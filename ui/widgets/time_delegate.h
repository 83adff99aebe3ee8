// TimeDelegate: a column of instants, right-aligned, ISO in the tooltip.
#pragma once

#include "ui/widgets/cell_delegate.h"
#include "ui/widgets/time_text.h"

#include <functional>

namespace ui {

/** Reads RawRole (QDateTime, UTC); without one the DisplayRole stands in `muted`. */
class TimeDelegate final : public CellDelegate
{
    Q_OBJECT

public:
    using Clock = std::function<QDateTime()>;

    /** `now` decides what is today; the machine's clock by default. */
    explicit TimeDelegate(QObject* parent = nullptr, Clock now = QDateTime::currentDateTimeUtc);

    void setZone(Zone zone) { m_zone = zone; }

    QString textOf(const QModelIndex& index) const;
    bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
        const QModelIndex& index) override;

protected:
    void paintContent(QPainter& painter, const QRect& room, const QStyleOptionViewItem& option,
        const QModelIndex& index) const override;
    int contentWidth(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    Zone m_zone = Zone::Utc;
    Clock m_now;
};

} // namespace ui
