#include "ui/widgets/segmented.h"

#include "processor/base/check.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/style_sheet.h"

#include <QButtonGroup>
#include <QEvent>
#include <QFontMetrics>
#include <QHBoxLayout>
#include <QToolButton>

namespace ui {

namespace {

const char* segmentLook(qsizetype at, qsizetype count)
{
    if (at == 0) {
        return "segment-first";
    }
    return at == count - 1 ? "segment-last" : "segment-middle";
}

} // namespace

Segmented::Segmented(const QString& name, const QStringList& choices, QWidget* parent)
    : QWidget{parent}
    , m_group{new QButtonGroup{this}}
{
    CHECK(choices.size() > 1);
    setAccessibleName(name);
    auto* row = new QHBoxLayout{this};
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    for (qsizetype i = 0; i < choices.size(); ++i) {
        auto* button = new QToolButton{this};
        button->setText(choices[i]);
        button->setCheckable(true);
        button->setFocusPolicy(Qt::StrongFocus);
        button->setAccessibleName(name + QStringLiteral(": ") + choices[i]);
        // The chosen segment is bold: its room is that of bold text, so nothing moves.
        button->setMinimumWidth(
            QFontMetrics{currentFonts().smallBold}.horizontalAdvance(choices[i]) + 26);
        m_group->addButton(button, int(i));
        row->addWidget(button);
    }
    m_group->button(0)->setChecked(true);
    dress();
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(m_group, &QButtonGroup::idClicked, this, &Segmented::chosen);
}

void Segmented::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LayoutDirectionChange) {
        dress();
    }
    QWidget::changeEvent(event);
}

// Which ends are round is a matter of the screen, not of the order.
void Segmented::dress()
{
    const qsizetype count = m_group->buttons().size();
    for (qsizetype i = 0; i < count; ++i) {
        const qsizetype place = layoutDirection() == Qt::RightToLeft ? count - 1 - i : i;
        setLook(*m_group->button(int(i)), segmentLook(place, count));
    }
}

int Segmented::current() const
{
    return m_group->checkedId();
}

void Segmented::setCurrent(int index)
{
    CHECK(m_group->button(index) != nullptr);
    m_group->button(index)->setChecked(true);
}

} // namespace ui
