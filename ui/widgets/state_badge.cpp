#include "ui/widgets/state_badge.h"

#include "ui/widgets/badge.h"

#include <QEvent>
#include <QPainter>

namespace ui {

StateBadge::StateBadge(QWidget* parent) : QWidget{parent}
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

StateBadge::StateBadge(const StateWord& word, QWidget* parent) : StateBadge{parent}
{
    setState(word);
}

void StateBadge::setState(const StateWord& word)
{
    m_word = word;
    setAccessibleName(word.text);
    updateGeometry();
    update();
}

QSize StateBadge::sizeHint() const
{
    return badgeSize(m_word);
}

QSize StateBadge::minimumSizeHint() const
{
    return {badgeSize({}).width(), badgeSize(m_word).height()};
}

void StateBadge::paintEvent(QPaintEvent*)
{
    QPainter painter{this};
    paintBadge(painter, rect(), m_word, layoutDirection());
    // What is cut can be read by pointing at it.
    setToolTip(badgeSize(m_word).width() > width() ? m_word.text : QString{});
}

void StateBadge::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
        updateGeometry();
    }
    QWidget::changeEvent(event);
}

} // namespace ui
