#include "ui/widgets/stat_tile.h"

#include "ui/widgets/badge.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/theme.h"

#include <QKeyEvent>
#include <QPainter>
#include <QStyle>

namespace ui {

namespace {

constexpr int kTileHeightPx = 90;
constexpr int kSidePx = 14;
constexpr int kBarPx = 3;
constexpr double kCardRadius = 8;

} // namespace

StatTile::StatTile(QWidget* parent) : QAbstractButton{parent}
{
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void StatTile::setContent(const TileContent& content)
{
    m_content = content;
    //: A tile for screen readers: name, state, value, time
    setAccessibleName(
        tr("%1, %2, %3, as of %4")
            .arg(content.name, content.state.text.toLower(), valueText(), content.timeWithZone));
    setAccessibleDescription(content.why);
    setToolTip(content.why);
    update();
}

QString StatTile::valueText() const
{
    return isUnknown() ? tr("Not known") : m_content.value;
}

QSize StatTile::sizeHint() const
{
    return {250, std::max(kTileHeightPx, 4 * QFontMetrics{currentFonts().body}.height() + 18)};
}

QSize StatTile::minimumSizeHint() const
{
    return {160, sizeHint().height()};
}

void StatTile::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        click();
        return;
    }
    QAbstractButton::keyPressEvent(event);
}

void StatTile::paintGround(QPainter& painter) const
{
    const Theme& theme = currentTheme();
    const QRectF card = QRectF{rect()}.adjusted(0.5, 0.5, -0.5, -0.5);
    QPen edge{isUnknown() ? theme.of(StateKind::Unknown).fill : theme.border, 1};
    if (isUnknown()) {
        edge.setDashPattern({3, 3});
    }
    painter.setPen(edge);
    painter.setBrush(underMouse() ? theme.hover : theme.surface);
    painter.drawRoundedRect(card, kCardRadius, kCardRadius);

    const bool isMirrored = layoutDirection() == Qt::RightToLeft;
    const QRectF bar{isMirrored ? width() - double(kBarPx) : 0.0, 10, kBarPx, height() - 20.0};
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.of(m_content.state.kind).fill);
    painter.drawRoundedRect(bar, 1.5, 1.5);
    if (hasFocus()) {
        painter.setPen(QPen{theme.accent, 2});
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF{rect()}.adjusted(1, 1, -1, -1), kCardRadius, kCardRadius);
    }
}

void StatTile::paintEvent(QPaintEvent*)
{
    QPainter painter{this};
    painter.setRenderHint(QPainter::Antialiasing);
    paintGround(painter);
    const Theme& theme = currentTheme();
    const Fonts& fonts = currentFonts();
    const Qt::LayoutDirection direction = layoutDirection();
    const auto place
        = [&](QRect logical) { return QStyle::visualRect(direction, rect(), logical); };
    const auto say = [&](QRect logical, const QFont& font, const QColor& color, const QString& text,
                         Qt::Alignment side) {
        painter.setFont(font);
        painter.setPen(color);
        painter.drawText(place(logical),
            int(QStyle::visualAlignment(direction, side | Qt::AlignVCenter)) | Qt::TextSingleLine,
            QFontMetrics{font}.elidedText(text, Qt::ElideRight, logical.width()));
    };

    const int inner = width() - 2 * kSidePx;
    const int badge = std::min(badgeSize(m_content.state).width(), inner / 2);
    paintBadge(painter, place({width() - kSidePx - badge, 10, badge, kBadgeHeightPx}),
        m_content.state, direction);
    paintIcon(painter, place({kSidePx, 12, 16, 16}), m_content.icon, theme.muted);
    say({kSidePx + 24, 10, inner - 24 - badge - 8, 20}, fonts.small, theme.muted, m_content.name,
        Qt::AlignLeading);
    say({kSidePx, 34, inner, 28}, fonts.value, isUnknown() ? theme.muted : theme.text, valueText(),
        Qt::AlignLeading);
    const int time = QFontMetrics{fonts.small}.horizontalAdvance(m_content.time) + 2;
    say({width() - kSidePx - time, 60, time, 20}, fonts.small, theme.muted, m_content.time,
        Qt::AlignTrailing);
    say({kSidePx, 60, inner - time - 8, 20}, fonts.small, theme.muted, m_content.why,
        Qt::AlignLeading);
}

} // namespace ui
