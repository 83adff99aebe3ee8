#include "ui/widgets/time_delegate.h"

#include "ui/data/cell_role.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/theme.h"

#include <QAbstractItemView>
#include <QHelpEvent>
#include <QPainter>
#include <QStyle>
#include <QToolTip>

namespace ui {

TimeDelegate::TimeDelegate(QObject* parent, Clock now)
    : CellDelegate{Look::Muted, parent}
    , m_now{std::move(now)}
{}

QString TimeDelegate::textOf(const QModelIndex& index) const
{
    const QDateTime at = index.data(RawRole).toDateTime();
    return at.isValid() ? time_text::shown(at, m_now(), m_zone)
                        : index.data(Qt::DisplayRole).toString();
}

bool TimeDelegate::helpEvent(QHelpEvent* event, QAbstractItemView* view,
    const QStyleOptionViewItem& option, const QModelIndex& index)
{
    const QString iso = time_text::iso(index.data(RawRole).toDateTime());
    if (event->type() == QEvent::ToolTip && !iso.isEmpty()) {
        QToolTip::showText(event->globalPos(), iso, view);
        return true;
    }
    return CellDelegate::helpEvent(event, view, option, index);
}

void TimeDelegate::paintContent(QPainter& painter, const QRect& room,
    const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& theme = currentTheme();
    const bool isKnown = index.data(RawRole).toDateTime().isValid();
    QColor color = isKnown ? theme.text : theme.muted;
    if (!(option.state & QStyle::State_Enabled)) {
        color = theme.disabled;
    }
    painter.setFont(currentFonts().body);
    painter.setPen(color);
    const auto end = QStyle::visualAlignment(option.direction, Qt::AlignTrailing);
    painter.drawText(room, int(end | Qt::AlignVCenter) | Qt::TextSingleLine, textOf(index));
}

int TimeDelegate::contentWidth(const QStyleOptionViewItem&, const QModelIndex& index) const
{
    return QFontMetrics{currentFonts().body}.horizontalAdvance(textOf(index));
}

} // namespace ui
