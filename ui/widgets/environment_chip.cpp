#include "ui/widgets/environment_chip.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/words.h"

#include <QPainter>
#include <QStyle>

namespace ui {

namespace {

constexpr int kEnvironmentHeightPx = 24;
constexpr int kEnvironmentSidePx = 12;

StateWord wordOfEnvironment(Environment environment)
{
    switch (environment) {
    case Environment::Production:
        return stateWord(WordSet::Environment, u"production");
    case Environment::Staging:
        return stateWord(WordSet::Environment, u"staging");
    case Environment::Test:
        return stateWord(WordSet::Environment, u"test");
    }
    return {};
}

} // namespace

EnvironmentChip::EnvironmentChip(Environment environment, QWidget* parent) : QWidget{parent}
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    setEnvironment(environment);
}

void EnvironmentChip::setEnvironment(Environment environment)
{
    m_environment = environment;
    setAccessibleName(wordOfEnvironment(environment).text);
    updateGeometry();
    update();
}

// The one word in capitals.
QString EnvironmentChip::word() const
{
    return wordOfEnvironment(m_environment).text.toUpper();
}

QSize EnvironmentChip::sizeHint() const
{
    return {2 * kEnvironmentSidePx + 14 + 6
            + QFontMetrics{currentFonts().smallBold}.horizontalAdvance(word()),
        kEnvironmentHeightPx};
}

void EnvironmentChip::paintEvent(QPaintEvent*)
{
    const Theme& theme = currentTheme();
    const Tone& tone = theme.of(m_environment);
    const bool isProduction = m_environment == Environment::Production;
    const QColor text = isProduction ? theme.onProduction : tone.text;
    QPainter painter{this};
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(isProduction ? tone.fill : tone.soft);
    QPen edge{isProduction ? tone.fill : tone.text, 1};
    if (m_environment == Environment::Staging) {
        edge.setDashPattern({4, 3});
    }
    painter.setPen(edge);
    painter.drawRoundedRect(QRectF{rect()}.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    const auto place = [&](int x, int wide) {
        return QStyle::visualRect(layoutDirection(), rect(), {x, 0, wide, height()});
    };
    QRect shape = place(kEnvironmentSidePx, 14);
    shape.setRect(shape.x(), (height() - 14) / 2, 14, 14);
    paintIcon(painter, shape, wordOfEnvironment(m_environment).shape, text);
    painter.setFont(currentFonts().smallBold);
    painter.setPen(text);
    const int at = kEnvironmentSidePx + 14 + 6;
    painter.drawText(place(at, width() - at - 4),
        int(Qt::AlignVCenter | Qt::TextSingleLine)
            | int(QStyle::visualAlignment(layoutDirection(), Qt::AlignLeading)),
        word());
}

} // namespace ui
