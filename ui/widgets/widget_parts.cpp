#include "ui/widgets/widget_parts.h"

#include "ui/widgets/style_sheet.h"

#include <QPainter>
#include <QStyle>

namespace ui {

QLabel* makeLabel(const char* look, QWidget* parent)
{
    auto* label = new QLabel{parent};
    // What stands in a label may come from a provider: it is text, never markup.
    label->setTextFormat(Qt::PlainText);
    setLook(*label, look);
    return label;
}

IconLabel::IconLabel(Icon which, IconTone tone, int size, QWidget* parent)
    : QWidget{parent}
    , m_icon{which}
    , m_tone{tone}
    , m_size{size}
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void IconLabel::setIcon(Icon which, IconTone tone)
{
    m_icon = which;
    m_tone = tone;
    update();
}

QSize IconLabel::sizeHint() const
{
    return {m_size, m_size};
}

void IconLabel::paintEvent(QPaintEvent*)
{
    QPainter painter{this};
    paintIcon(painter, rect(), m_icon, toneColor(m_tone));
}

QToolButton* makeIconButton(Icon which, const QString& name, QWidget* parent)
{
    auto* button = new QToolButton{parent};
    button->setIcon(icon(which, IconTone::Muted));
    button->setIconSize({16, 16});
    button->setAccessibleName(name);
    button->setToolTip(name);
    button->setFocusPolicy(Qt::StrongFocus); // Qt leaves tool buttons out of the tab order
    setLook(*button, "flat");
    return button;
}

QPushButton* makeButton(const QString& text, const char* look, QWidget* parent)
{
    auto* button = new QPushButton{text, parent};
    button->setAutoDefault(false); // Enter belongs to what has the focus
    button->setIconSize(kIconBesideText);
    setLook(*button, look);
    return button;
}

ElidedLabel::ElidedLabel(const char* look, QWidget* parent) : QLabel{parent}
{
    setTextFormat(Qt::PlainText);
    setLook(*this, look);
}

QSize ElidedLabel::minimumSizeHint() const
{
    return {0, QLabel::minimumSizeHint().height()};
}

void ElidedLabel::paintEvent(QPaintEvent*)
{
    QPainter painter{this};
    const QRect room = contentsRect();
    const QString shown = fontMetrics().elidedText(text(), Qt::ElideRight, room.width());
    setToolTip(shown == text() ? QString{} : text());
    style()->drawItemText(&painter, room,
        int(QStyle::visualAlignment(layoutDirection(), alignment())), palette(), isEnabled(), shown,
        foregroundRole());
}

} // namespace ui
