#include "ui/widgets/amount_paint.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/theme.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ui {

namespace {

constexpr int kDecimalsMax = 18;
constexpr double kRunUnitGapPx = 6;

double baselineIn(const QRectF& room, const QFontMetricsF& metrics)
{
    return std::round(room.center().y() + (metrics.ascent() - metrics.descent()) / 2);
}

// Pieces are drawn one behind the other: kerning between them would shift digits by themselves.
class Run
{
public:
    Run(QPainter& painter, double x, double baseline) : m_painter{painter}, m_at{x, baseline} {}

    void add(const QString& text, const QFont& font, const QColor& color)
    {
        if (text.isEmpty()) {
            return;
        }
        m_painter.setFont(font);
        m_painter.setPen(color);
        // Numbers run left to right in every language: mirrored, "+1" would read "1+".
        const Qt::LayoutDirection before = m_painter.layoutDirection();
        m_painter.setLayoutDirection(Qt::LeftToRight);
        m_painter.drawText(m_at, text);
        m_painter.setLayoutDirection(before);
        m_at.rx() += QFontMetricsF{font}.horizontalAdvance(text);
    }
    void skip(double px) { m_at.rx() += px; }
    double x() const { return m_at.x(); }

private:
    QPainter& m_painter;
    QPointF m_at;
};

QString left(const AmountText& text)
{
    return text.sign() + text.whole();
}

} // namespace

AmountColumn AmountColumn::measured(int wholeDigits, const QString& unit)
{
    const QFontMetricsF metrics{currentFonts().body};
    const QFontMetricsF small{currentFonts().small};
    const double digit = metrics.horizontalAdvance(u'0');
    const double separators
        = ((wholeDigits - 1) / 3) * metrics.horizontalAdvance(QLocale{}.groupSeparator());
    return {
        .signAndWhole = metrics.horizontalAdvance(u'+') + wholeDigits * digit + separators,
        .fraction = metrics.horizontalAdvance(QLocale{}.decimalPoint()) + kDecimalsMax * digit,
        .unit = small.horizontalAdvance(unit),
    };
}

AmountColors AmountColors::of(const AmountText& text, bool moved)
{
    const Theme& theme = currentTheme();
    if (!moved) {
        return {theme.text, theme.muted};
    }
    return {text.isOut() ? theme.moneyOut : theme.moneyIn, theme.muted};
}

AmountColors AmountColors::uniform(const QColor& color)
{
    return {color, color};
}

bool paintAmount(QPainter& painter, const QRectF& room, const AmountText& text,
    const AmountColumn& column, const AmountColors& colors)
{
    const QFont& font = currentFonts().body;
    const QFontMetricsF metrics{font};
    const double baseline = baselineIn(room, metrics);
    const double unitX = room.right() - column.unit;
    const double pointX = unitX - AmountColumn::kUnitGapPx - column.fraction;
    const double startX = pointX - metrics.horizontalAdvance(left(text));
    const double unitWidth = QFontMetricsF{currentFonts().small}.horizontalAdvance(text.unit());
    // Half a pixel is rounding, not room.
    if (startX < room.left() - 0.5 || unitWidth > column.unit + 0.5) {
        Run{painter, room.left(), baseline}.add(QStringLiteral("…"), font, colors.faint);
        return false;
    }
    Run run{painter, startX, baseline};
    run.add(left(text), font, colors.bright);
    run.add(text.point() + text.fractionBright(), font, colors.bright);
    run.add(text.fractionMuted(), font, colors.faint);
    Run{painter, unitX, baseline}.add(text.unit(), currentFonts().small, colors.faint);
    return true;
}

double runWidth(const AmountText& text, const QFont& font)
{
    const QFontMetricsF metrics{font};
    const double number = metrics.horizontalAdvance(left(text))
        + metrics.horizontalAdvance(text.point() + text.fractionBright())
        + metrics.horizontalAdvance(text.fractionMuted());
    if (text.unit().isEmpty()) {
        return number;
    }
    return number + kRunUnitGapPx
        + QFontMetricsF{currentFonts().small}.horizontalAdvance(text.unit());
}

double paintAmountRun(QPainter& painter, const QRectF& room, const AmountText& text,
    const QFont& font, const AmountColors& colors)
{
    Run run{painter, room.left(), baselineIn(room, QFontMetricsF{font})};
    run.add(left(text), font, colors.bright);
    run.add(text.point() + text.fractionBright(), font, colors.bright);
    run.add(text.fractionMuted(), font, colors.faint);
    if (!text.unit().isEmpty()) {
        run.skip(kRunUnitGapPx);
        run.add(text.unit(), currentFonts().small, currentTheme().muted);
    }
    return run.x() - room.left();
}

} // namespace ui
