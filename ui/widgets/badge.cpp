#include "ui/widgets/badge.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/theme.h"

#include <QFontMetrics>
#include <QPainter>
#include <QStyle>

#include <algorithm>
#include <cmath>

namespace ui {

namespace {

constexpr int kIconPx = 14;
constexpr int kIconGapPx = 5;
constexpr int kBeforePx = 6;
constexpr int kAfterPx = 8;

} // namespace

QSize badgeSize(const StateWord& word)
{
    // Advances are fractions of pixels; one pixel less and the word is elided.
    const QFontMetricsF metrics{currentFonts().smallBold};
    const int text = int(std::ceil(metrics.horizontalAdvance(word.text))) + 1;
    return {kBeforePx + kIconPx + kIconGapPx + text + kAfterPx,
        std::max(kBadgeHeightPx, int(std::ceil(metrics.height())))};
}

void paintBadge(
    QPainter& painter, const QRect& room, const StateWord& word, Qt::LayoutDirection direction)
{
    const Theme& theme = currentTheme();
    const Tone& tone = theme.of(word.kind);
    const QFont& font = currentFonts().smallBold;
    QSize size = badgeSize(word);
    size.setWidth(std::min(size.width(), room.width()));
    const QRect badge
        = QStyle::alignedRect(direction, Qt::AlignLeading | Qt::AlignVCenter, size, room);

    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF outline = QRectF{badge}.adjusted(0.5, 0.5, -0.5, -0.5);
    const double radius = badge.height() / 2.0;
    if (word.kind == StateKind::Unknown) {
        QPen pen{tone.fill, 1};
        pen.setDashPattern({3, 2.5});
        painter.setPen(pen);
        painter.setBrush(Qt::NoBrush);
    } else {
        painter.setPen(theme.isHighContrast ? QPen{tone.text, 1} : QPen{tone.soft, 1});
        painter.setBrush(tone.soft);
    }
    painter.drawRoundedRect(outline, radius, radius);

    const bool isMirrored = direction == Qt::RightToLeft;
    const int iconX = isMirrored ? badge.right() - kBeforePx - kIconPx + 1 : badge.x() + kBeforePx;
    const QRect icon{iconX, badge.y() + (badge.height() - kIconPx) / 2, kIconPx, kIconPx};
    paintIcon(painter, icon, word.shape, tone.fill, kBadgeStroke);

    QRect text = badge;
    if (isMirrored) {
        text.adjust(kAfterPx, 0, -(kBeforePx + kIconPx + kIconGapPx), 0);
    } else {
        text.adjust(kBeforePx + kIconPx + kIconGapPx, 0, -kAfterPx, 0);
    }
    painter.setFont(font);
    painter.setPen(tone.text);
    const QString shown = QFontMetrics{font}.elidedText(word.text, Qt::ElideRight, text.width());
    painter.drawText(text,
        int(QStyle::visualAlignment(direction, Qt::AlignLeading | Qt::AlignVCenter))
            | Qt::TextSingleLine,
        shown);
    painter.restore();
}

} // namespace ui
