#include "ui/widgets/new_rows_strip.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/phrases.h"
#include "ui/widgets/theme.h"

#include <QEvent>
#include <QKeyEvent>
#include <QPainter>

namespace ui {

namespace {

constexpr int kStripHeightPx = 28;

} // namespace

NewRowsStrip::NewRowsStrip(QWidget* parent) : QAbstractButton{parent}
{
    setFixedHeight(kStripHeightPx);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAttribute(Qt::WA_Hover);
    setToolTip(tr("Take in the new rows (Home at the top of the table)"));
    setCount(0);
}

void NewRowsStrip::setLive(bool live)
{
    setVisible(live);
}

void NewRowsStrip::setCount(int count)
{
    m_count = count;
    setEnabled(count > 0);
    setFocusPolicy(count > 0 ? Qt::StrongFocus : Qt::NoFocus);
    setCursor(count > 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    describe();
    update();
}

void NewRowsStrip::describe()
{
    setText(m_count > 0 ? phrases::newRows(m_count) : QString{});
    setAccessibleName(m_count > 0 ? text() : tr("No new rows"));
}

QSize NewRowsStrip::sizeHint() const
{
    return {200, kStripHeightPx};
}

void NewRowsStrip::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        click();
        return;
    }
    QAbstractButton::keyPressEvent(event);
}

void NewRowsStrip::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) {
        describe();
    }
    QAbstractButton::changeEvent(event);
}

void NewRowsStrip::paintEvent(QPaintEvent*)
{
    const Theme& theme = currentTheme();
    QPainter painter{this};
    if (m_count == 0) {
        painter.fillRect(rect(), theme.surface);
        return;
    }
    const Tone& info = theme.of(StateKind::Info);
    painter.fillRect(rect(), underMouse() ? theme.selection : info.soft);
    painter.setFont(currentFonts().smallBold);
    painter.setPen(info.text);
    constexpr int iconPx = 14;
    constexpr int gapPx = 8;
    const int wide = painter.fontMetrics().horizontalAdvance(text());
    const QRect run{(width() - iconPx - gapPx - wide) / 2, 0, iconPx + gapPx + wide, height()};
    const bool isMirrored = layoutDirection() == Qt::RightToLeft;
    paintIcon(painter,
        QRect{isMirrored ? run.right() - iconPx + 1 : run.x(), (height() - iconPx) / 2, iconPx,
            iconPx},
        Icon::Plus, info.text);
    painter.drawText(
        isMirrored ? run.adjusted(0, 0, -iconPx - gapPx, 0) : run.adjusted(iconPx + gapPx, 0, 0, 0),
        Qt::AlignCenter | Qt::TextSingleLine, text());
    if (hasFocus()) {
        painter.setPen(QPen{theme.accent, 2});
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
}

} // namespace ui
