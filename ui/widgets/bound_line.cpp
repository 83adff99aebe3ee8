#include "ui/widgets/bound_line.h"

#include "ui/widgets/style_sheet.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/widget_parts.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLocale>
#include <QPainter>

namespace ui {

namespace {

constexpr int kBoundHeightPx = 28;

QString sayBound(const char* text, int n = -1)
{
    return QCoreApplication::translate("ui::bound", text, nullptr, n);
}

QString rowsOf(const Bound& bound)
{
    if (bound.loaded == 0) {
        return sayBound(QT_TRANSLATE_NOOP("ui::bound", "No rows"));
    }
    const QString range = bound.hasMore
        ? sayBound(QT_TRANSLATE_NOOP("ui::bound", "Rows 1–%1 loaded, more below"))
        : sayBound(QT_TRANSLATE_NOOP("ui::bound", "Rows 1–%1 of %1"));
    return range.arg(QLocale{}.toString(bound.loaded));
}

QString tookOf(std::chrono::milliseconds took)
{
    if (took < std::chrono::seconds{1}) {
        return sayBound(QT_TRANSLATE_NOOP("ui::bound", "%1 ms")).arg(took.count());
    }
    return sayBound(QT_TRANSLATE_NOOP("ui::bound", "%1 s"))
        .arg(QLocale{}.toString(double(took.count() / 100) / 10, 'f', 1));
}

QString endOf(const Bound& bound)
{
    switch (bound.end) {
    case Bound::End::Complete:
        return sayBound(QT_TRANSLATE_NOOP("ui::bound", "complete"));
    case Bound::End::StoppedByTime:
        return sayBound(QT_TRANSLATE_NOOP("ui::bound", "stopped, older rows not searched"));
    case Bound::End::Failed:
        return sayBound(QT_TRANSLATE_NOOP("ui::bound", "no answer, the rows are the last known"));
    }
    return {};
}

} // namespace

QString textOf(const Bound& bound)
{
    QStringList parts{rowsOf(bound)};
    if (!bound.searched.isEmpty()) {
        parts << bound.searched;
    }
    parts << tookOf(bound.took) << endOf(bound);
    return parts.join(QStringLiteral(" · "));
}

BoundLine::BoundLine(QWidget* parent)
    : QWidget{parent}
    , m_icon{new IconLabel{Icon::Warning, IconTone::WarningText, 14, this}}
    , m_text{new ElidedLabel{"muted", this}}
{
    setFixedHeight(kBoundHeightPx);
    auto* row = new QHBoxLayout{this};
    row->setContentsMargins(12, 0, 12, 0);
    row->setSpacing(6);
    row->addWidget(m_icon);
    row->addWidget(m_text, 1);
    m_icon->hide();
}

void BoundLine::setBound(const Bound& bound)
{
    const bool isCut = bound.end != Bound::End::Complete;
    m_icon->setVisible(isCut);
    setLook(*m_text, isCut ? "warning" : "muted");
    m_text->setText(textOf(bound));
    setAccessibleName(m_text->text());
}

void BoundLine::setText(const QString& text)
{
    m_icon->hide();
    setLook(*m_text, "muted");
    m_text->setText(text);
    setAccessibleName(text);
}

QString BoundLine::text() const
{
    return m_text->text();
}

bool BoundLine::isWarning() const
{
    return !m_icon->isHidden();
}

void BoundLine::paintEvent(QPaintEvent*)
{
    QPainter painter{this};
    painter.fillRect(0, 0, width(), 1, currentTheme().border);
}

} // namespace ui
