#include "ui/widgets/state_view.h"

#include "ui/widgets/widget_parts.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QVBoxLayout>

namespace ui {

StateView::StateView(QWidget* parent)
    : QWidget{parent}
    , m_icon{new IconLabel{Icon::Lookup, IconTone::Muted, 24, this}}
    , m_bold{makeLabel("card-title", this)}
    , m_line{makeLabel("muted", this)}
    , m_id{makeButton({}, "link", this)}
    , m_button{makeButton({}, "", this)}
{
    auto* column = new QVBoxLayout{this};
    column->setSpacing(6);
    column->addStretch();
    for (QLabel* label : {m_bold, m_line}) {
        label->setAlignment(Qt::AlignCenter);
        label->setWordWrap(true);
    }
    column->addWidget(m_icon, 0, Qt::AlignHCenter);
    column->addWidget(m_bold);
    column->addWidget(m_line);
    column->addWidget(m_id, 0, Qt::AlignHCenter);
    column->addSpacing(6);
    column->addWidget(m_button, 0, Qt::AlignHCenter);
    column->addStretch();
    m_id->setIcon(icon(Icon::Copy, IconTone::Muted));
    m_id->setToolTip(tr("Copy the error id"));
    connect(m_id, &QPushButton::clicked, this,
        [this] { QGuiApplication::clipboard()->setText(m_id->text()); });
    connect(m_button, &QPushButton::clicked, this, &StateView::buttonClicked);
}

void StateView::show(Kind kind, const QString& bold, const QString& line, const QString& button,
    const QString& errorId)
{
    switch (kind) {
    case Kind::Empty:
        m_icon->setIcon(Icon::Lookup, IconTone::Muted);
        break;
    case Kind::Error:
        m_icon->setIcon(Icon::Danger, IconTone::Danger);
        break;
    case Kind::Unknown:
        m_icon->setIcon(Icon::Unknown, IconTone::Unknown);
        break;
    }
    m_bold->setText(bold);
    m_line->setText(line);
    m_line->setVisible(!line.isEmpty());
    m_id->setText(errorId);
    m_id->setAccessibleName(tr("Copy the error id %1").arg(errorId));
    m_id->setVisible(!errorId.isEmpty());
    m_button->setText(button);
    m_button->setVisible(!button.isEmpty());
    setAccessibleName(bold + u' ' + line);
    QWidget::show();
}

} // namespace ui
