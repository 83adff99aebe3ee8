// The state badge: icon and word on soft ground, one painter for labels and table cells.
#pragma once

#include "ui/widgets/words.h"

#include <QRect>
#include <QSize>

class QPainter;

namespace ui {

inline constexpr int kBadgeHeightPx = 20;

/** What a badge with this word needs to be seen whole. */
QSize badgeSize(const StateWord& word);

/**
 * Draws the badge at the leading edge of `room`, vertically centred; a word that does not fit is
 * elided, the shape never. Unknown has a dashed edge and no ground.
 */
void paintBadge(
    QPainter& painter, const QRect& room, const StateWord& word, Qt::LayoutDirection direction);

} // namespace ui
