#include "ui/widgets/timeline_delegate.h"

#include "ui/widgets/amount_paint.h"
#include "ui/widgets/badge.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/timeline_model.h"

#include <QAbstractItemView>
#include <QPainter>
#include <QStyle>

namespace ui {

namespace {

constexpr int kTimeRoomPx = 92; // of 104: the rest is the gap to the line
constexpr int kLineX = 116;
constexpr int kEntryIconPx = 18;
constexpr int kTextX = 136;
constexpr int kRightPx = 14;

// Everything is laid out from the left and mirrored at the end.
class Row
{
public:
    Row(QPainter& painter, const QStyleOptionViewItem& option)
        : m_painter{painter}
        , m_rect{option.rect}
        , m_direction{option.direction}
    {}

    QRect place(int x, int y, int width, int height) const
    {
        return QStyle::visualRect(
            m_direction, m_rect, {m_rect.x() + x, m_rect.y() + y, width, height});
    }
    int say(int x, int y, int room, const QFont& font, const QColor& color, const QString& text,
        Qt::Alignment side = Qt::AlignLeading)
    {
        const QFontMetrics metrics{font};
        const QString shown = metrics.elidedText(text, Qt::ElideRight, std::max(0, room));
        m_painter.setFont(font);
        m_painter.setPen(color);
        m_painter.drawText(place(x, y, room, metrics.height()),
            int(QStyle::visualAlignment(m_direction, side | Qt::AlignVCenter)) | Qt::TextSingleLine,
            shown);
        return metrics.horizontalAdvance(shown);
    }

private:
    QPainter& m_painter;
    QRect m_rect;
    Qt::LayoutDirection m_direction;
};

IconTone toneOn(bool isSelected, IconTone tone)
{
    const bool isFill = tone >= IconTone::Ok && tone <= IconTone::Unknown;
    return isSelected && isFill ? textTone(StateKind(int(tone) - int(IconTone::Ok))) : tone;
}

} // namespace

QSize TimelineDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const
{
    const Fonts& fonts = currentFonts();
    const int lines = QFontMetrics{fonts.body}.height() + QFontMetrics{fonts.small}.height() + 2;
    return {320, std::max(kRowPx, lines)};
}

void TimelineDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const auto* model = qobject_cast<const TimelineModel*>(index.model());
    if (model == nullptr) {
        return;
    }
    const Theme& theme = currentTheme();
    painter->save();
    QColor ground = theme.surface;
    if (option.state & QStyle::State_Selected) {
        ground = theme.selection;
    } else if (option.state & QStyle::State_MouseOver && model->entryAt(index.row()) != nullptr) {
        ground = theme.hover;
    }
    painter->fillRect(option.rect, ground);

    Row row{*painter, option};
    const int height = option.rect.height();
    const bool isFirst = index.row() == 0;
    const bool isLast = index.row() == model->rowCount() - 1;
    const int from = isFirst ? height / 2 : 0;
    const int to = isLast ? height / 2 : height;
    painter->fillRect(row.place(kLineX, from, 1, to - from), theme.border);

    if (model->entryAt(index.row()) == nullptr) {
        painter->fillRect(row.place(kLineX, 0, 1, height), ground);
        painter->setPen(QPen{theme.control, 1, Qt::DotLine});
        const QRect line = row.place(kLineX, 0, 1, height);
        painter->drawLine(line.topLeft(), line.bottomLeft());
        const int y = (height - QFontMetrics{currentFonts().small}.height()) / 2;
        row.say(kTextX, y, option.rect.width() - kTextX - kRightPx, currentFonts().small,
            theme.muted, model->gapTextAt(index.row()));
    } else {
        const QRect behind = row.place(kLineX - 10, 5, 21, 22);
        painter->fillRect(behind, ground);
        paintEntry(*painter, option, *model, index.row());
    }
    const auto* view = qobject_cast<const QAbstractItemView*>(option.widget);
    if (view != nullptr && view->hasFocus() && view->currentIndex() == index) {
        painter->setPen(QPen{theme.accent, 2});
        painter->drawRect(option.rect.adjusted(1, 1, -1, -1));
    }
    painter->restore();
}

void TimelineDelegate::paintEntry(
    QPainter& painter, const QStyleOptionViewItem& option, const TimelineModel& model, int at) const
{
    const Theme& theme = currentTheme();
    const Fonts& fonts = currentFonts();
    const TimelineEntry& entry = *model.entryAt(at);
    const bool isSelected = option.state & QStyle::State_Selected;
    Row row{painter, option};
    const int titleY = 1;
    const int detailY = titleY + QFontMetrics{fonts.body}.height() - 1;

    row.say(0, titleY + 2, kTimeRoomPx, fonts.monoSmall, theme.muted, model.timeTextAt(at),
        Qt::AlignTrailing);
    paintIcon(painter, row.place(kLineX - kEntryIconPx / 2, 7, kEntryIconPx, kEntryIconPx),
        entry.icon, toneColor(toneOn(isSelected, entry.tone)));

    int room = option.rect.width() - kTextX - kRightPx;
    if (entry.badge) {
        const int badge = std::min(badgeSize(*entry.badge).width(), room / 2);
        paintBadge(painter,
            row.place(option.rect.width() - kRightPx - badge, 1, badge, kBadgeHeightPx),
            *entry.badge, option.direction);
        room -= badge + 10;
    }
    int x = kTextX;
    const int end = kTextX + room;
    if (!entry.bold.isEmpty()) {
        x += row.say(x, titleY, end - x, fonts.bold, theme.text, entry.bold) + 4;
    }
    if (!entry.plain.isEmpty()) {
        x += row.say(x, titleY, end - x, fonts.body, theme.text, entry.plain) + 8;
    }
    if (entry.amount) {
        const int wide = int(runWidth(*entry.amount, fonts.body)) + 2;
        // An amount that does not fit is left to the detail and the tooltip: never a part of it.
        if (wide <= end - x) {
            paintAmountRun(painter, row.place(x, titleY, wide, QFontMetrics{fonts.body}.height()),
                *entry.amount, fonts.body, AmountColors::of(*entry.amount, true));
        }
    }
    row.say(kTextX, detailY, room, fonts.small, theme.muted, entry.detail);
}

} // namespace ui
