#include "ui/widgets/veil.h"

#include "ui/widgets/theme.h"

#include <QEvent>
#include <QPainter>

namespace ui {

Veil::Veil(QWidget& window) : QWidget{&window}
{
    setAttribute(Qt::WA_TransparentForMouseEvents); // the dialog is modal, the veil only shows it
    window.installEventFilter(this);
    setGeometry(window.rect());
    raise();
    show();
}

bool Veil::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == parentWidget() && event->type() == QEvent::Resize) {
        setGeometry(parentWidget()->rect());
    }
    return QWidget::eventFilter(watched, event);
}

void Veil::paintEvent(QPaintEvent*)
{
    QPainter painter{this};
    painter.fillRect(rect(), currentTheme().veil);
}

} // namespace ui
