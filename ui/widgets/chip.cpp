#include "ui/widgets/chip.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStyle>

namespace ui {

namespace {

constexpr int kChipHeightPx = 26;
constexpr int kChipSidePx = 11;
constexpr int kChipGapPx = 6;
constexpr int kCrossPx = 12;

} // namespace

Chip::Chip(QWidget* parent) : QAbstractButton{parent}
{
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setFixedHeight(kChipHeightPx);
}

void Chip::setContent(const QString& name, const QString& value)
{
    m_name = name;
    m_value = value;
    setAccessibleName(value.isEmpty() ? name : name + QStringLiteral(": ") + value);
    updateGeometry();
    update();
}

void Chip::setActive(bool active, bool removable)
{
    m_isActive = active;
    m_isRemovable = active && removable;
    setAccessibleDescription(m_isRemovable ? tr("Delete removes it") : QString{});
    updateGeometry();
    update();
}

QSize Chip::sizeHint() const
{
    const Fonts& fonts = currentFonts();
    int width = 2 * kChipSidePx + QFontMetrics{fonts.small}.horizontalAdvance(m_name);
    if (!m_value.isEmpty()) {
        width += kChipGapPx + QFontMetrics{fonts.smallBold}.horizontalAdvance(m_value);
    }
    if (m_isRemovable) {
        width += kChipGapPx + kCrossPx;
    }
    return {width, kChipHeightPx};
}

QRect Chip::crossRect() const
{
    return QStyle::visualRect(layoutDirection(), rect(),
        {width() - kChipSidePx - kCrossPx + 2, (height() - kCrossPx) / 2, kCrossPx, kCrossPx});
}

void Chip::keyPressEvent(QKeyEvent* event)
{
    if (m_isRemovable && (event->key() == Qt::Key_Delete || event->key() == Qt::Key_Backspace)) {
        emit removed();
    } else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        click();
    } else {
        QAbstractButton::keyPressEvent(event);
    }
}

void Chip::mouseReleaseEvent(QMouseEvent* event)
{
    if (m_isRemovable && crossRect().adjusted(-4, -6, 6, 6).contains(event->pos())) {
        setDown(false);
        emit removed();
        return;
    }
    QAbstractButton::mouseReleaseEvent(event);
}

void Chip::paintEvent(QPaintEvent*)
{
    const Theme& theme = currentTheme();
    const Fonts& fonts = currentFonts();
    QPainter painter{this};
    painter.setRenderHint(QPainter::Antialiasing);
    const bool hasRing = hasFocus();
    const double inset = hasRing ? 1 : 0.5;
    const QColor edge = m_isActive || hasRing ? theme.accent : theme.border;
    painter.setPen(QPen{edge, hasRing ? 2.0 : 1.0});
    painter.setBrush(m_isActive ? theme.selection : underMouse() ? theme.hover : theme.surface);
    painter.drawRoundedRect(
        QRectF{rect()}.adjusted(inset, inset, -inset, -inset), height() / 2.0, height() / 2.0);

    const auto say = [&](int x, const QFont& font, const QColor& color, const QString& text) {
        const int wide = QFontMetrics{font}.horizontalAdvance(text);
        painter.setFont(font);
        painter.setPen(isEnabled() ? color : theme.disabled);
        painter.drawText(QStyle::visualRect(layoutDirection(), rect(), {x, 0, wide + 1, height()}),
            Qt::AlignCenter | Qt::TextSingleLine, text);
        return x + wide;
    };
    const int at = say(kChipSidePx, fonts.small, m_isActive ? theme.text : theme.muted, m_name);
    if (!m_value.isEmpty()) {
        say(at + kChipGapPx, fonts.smallBold, theme.text, m_value);
    }
    if (m_isRemovable) {
        paintIcon(painter, crossRect(), Icon::Close, theme.text);
    }
}

} // namespace ui
