#include "ui/widgets/cell_delegate.h"

#include "ui/data/cell_role.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/theme.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QHeaderView>
#include <QHelpEvent>
#include <QPainter>
#include <QStyle>
#include <QTableView>
#include <QToolTip>

namespace ui {

namespace {

constexpr int kFocusPx = 2;
constexpr int kDetailGapPx = 8;

// A view that selects rows has one current row: its edge runs around the row, not the cell.
struct FocusEdge
{
    bool hasAny = false;
    bool hasLeft = true;
    bool hasRight = true;
};

FocusEdge focusEdge(const QStyleOptionViewItem& option, const QModelIndex& index)
{
    const auto* view = qobject_cast<const QAbstractItemView*>(option.widget);
    if (view == nullptr || !view->hasFocus()) {
        return {};
    }
    const QModelIndex current = view->currentIndex();
    if (view->selectionBehavior() != QAbstractItemView::SelectRows) {
        return {.hasAny = current == index};
    }
    FocusEdge edge{.hasAny = current.row() == index.row() && current.parent() == index.parent()};
    if (const auto* table = qobject_cast<const QTableView*>(view)) {
        const QHeaderView* header = table->horizontalHeader();
        const int at = header->visualIndex(index.column());
        for (int i = 0; i < header->count(); ++i) {
            if (i != at && !header->isSectionHidden(header->logicalIndex(i))) {
                (i < at ? edge.hasLeft : edge.hasRight) = false;
            }
        }
    }
    return edge;
}

void paintFocus(QPainter& painter, const QRect& cell, const FocusEdge& edge, bool isMirrored)
{
    const QColor& accent = currentTheme().accent;
    painter.fillRect(cell.x(), cell.y(), cell.width(), kFocusPx, accent);
    painter.fillRect(cell.x(), cell.bottom() - kFocusPx + 1, cell.width(), kFocusPx, accent);
    if (isMirrored ? edge.hasRight : edge.hasLeft) {
        painter.fillRect(cell.x(), cell.y(), kFocusPx, cell.height(), accent);
    }
    if (isMirrored ? edge.hasLeft : edge.hasRight) {
        painter.fillRect(cell.right() - kFocusPx + 1, cell.y(), kFocusPx, cell.height(), accent);
    }
}

Qt::Alignment alignmentOf(const QStyleOptionViewItem& option, const QModelIndex& index)
{
    const QVariant wish = index.data(Qt::TextAlignmentRole);
    const Qt::Alignment wished
        = wish.isValid() ? Qt::Alignment{wish.toInt()} : Qt::Alignment{Qt::AlignLeading};
    return QStyle::visualAlignment(option.direction, wished | Qt::AlignVCenter);
}

} // namespace

CellDelegate::CellDelegate(Look look, QObject* parent) : QStyledItemDelegate{parent}, m_look{look}
{}

void CellDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& theme = currentTheme();
    painter->save();
    QColor ground = theme.surface;
    if (isSelected(option)) {
        ground = theme.selection;
    } else if (option.state & QStyle::State_MouseOver) {
        ground = theme.hover;
    }
    painter->fillRect(option.rect, ground);
    painter->fillRect(option.rect.x(), option.rect.bottom(), option.rect.width(), 1, theme.grid);
    painter->setClipRect(option.rect);
    paintContent(*painter, option.rect.adjusted(kPaddingPx, 0, -kPaddingPx, 0), option, index);
    if (const FocusEdge edge = focusEdge(option, index); edge.hasAny) {
        paintFocus(*painter, option.rect, edge, option.direction == Qt::RightToLeft);
    }
    painter->restore();
}

QSize CellDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    return {contentWidth(option, index) + 2 * kPaddingPx,
        rowHeight(currentFonts().body, Density::Compact)};
}

bool CellDelegate::helpEvent(QHelpEvent* event, QAbstractItemView* view,
    const QStyleOptionViewItem& option, const QModelIndex& index)
{
    const bool isTip = event->type() == QEvent::ToolTip;
    if (isTip && !index.data(Qt::ToolTipRole).isValid()
        && contentWidth(option, index) + 2 * kPaddingPx > option.rect.width()) {
        const QString whole = index.data(Qt::DisplayRole).toString();
        const QString detail = index.data(DetailRole).toString();
        QToolTip::showText(
            event->globalPos(), detail.isEmpty() ? whole : whole + u'\n' + detail, view);
        return true;
    }
    return QStyledItemDelegate::helpEvent(event, view, option, index);
}

void CellDelegate::paintContent(QPainter& painter, const QRect& room,
    const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const QString text = index.data(Qt::DisplayRole).toString();
    const QString detail = index.data(DetailRole).toString();
    const QFont font = fontOfLook();
    const QFontMetrics metrics{font};
    const Qt::TextElideMode elide = m_look == Look::Mono ? Qt::ElideMiddle : Qt::ElideRight;
    const QString shown = metrics.elidedText(text, elide, room.width());

    painter.setFont(font);
    const bool isEnabled = option.state & QStyle::State_Enabled;
    painter.setPen(isEnabled ? colorOfLook() : currentTheme().disabled);
    painter.drawText(room, int(alignmentOf(option, index)) | Qt::TextSingleLine, shown);

    const int used = metrics.horizontalAdvance(shown) + kDetailGapPx;
    if (detail.isEmpty() || used >= room.width()) {
        return;
    }
    const bool isMirrored = option.direction == Qt::RightToLeft;
    const QRect rest = isMirrored ? room.adjusted(0, 0, -used, 0) : room.adjusted(used, 0, 0, 0);
    painter.setFont(currentFonts().body);
    painter.setPen(currentTheme().muted);
    const QFontMetrics plain{currentFonts().body};
    painter.drawText(rest,
        int(QStyle::visualAlignment(option.direction, Qt::AlignLeading | Qt::AlignVCenter)),
        plain.elidedText(detail, Qt::ElideRight, rest.width()));
}

int CellDelegate::contentWidth(const QStyleOptionViewItem&, const QModelIndex& index) const
{
    const QFontMetrics metrics{fontOfLook()};
    const int text = metrics.horizontalAdvance(index.data(Qt::DisplayRole).toString());
    const QString detail = index.data(DetailRole).toString();
    if (detail.isEmpty()) {
        return text;
    }
    return text + kDetailGapPx + QFontMetrics{currentFonts().body}.horizontalAdvance(detail);
}

bool CellDelegate::isSelected(const QStyleOptionViewItem& option)
{
    return option.state & QStyle::State_Selected;
}

QFont CellDelegate::fontOfLook() const
{
    const Fonts& fonts = currentFonts();
    switch (m_look) {
    case Look::Bold:
        return fonts.bold;
    case Look::Mono:
        return fonts.mono;
    case Look::Text:
    case Look::Link:
    case Look::Muted:
        return fonts.body;
    }
    return fonts.body;
}

QColor CellDelegate::colorOfLook() const
{
    const Theme& theme = currentTheme();
    switch (m_look) {
    case Look::Link:
        return theme.link;
    case Look::Muted:
        return theme.muted;
    case Look::Text:
    case Look::Bold:
    case Look::Mono:
        return theme.text;
    }
    return theme.text;
}

} // namespace ui
