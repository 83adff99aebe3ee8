#include "ui/widgets/fonts.h"

#include <QFontDatabase>
#include <QFontInfo>
#include <QFontMetricsF>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <optional>

namespace ui {

namespace {

constexpr int kBodyPxMin = 13;
constexpr char kPicturesUi[] = "Open Sans";
constexpr char kPicturesMono[] = "Noto Sans Mono";

std::optional<Fonts> s_fonts;

// Advances are laid out to 1/64 px; what differs by less is the same column of digits.
constexpr qreal kAdvanceTolerancePx = 1.0 / 64;

bool hasEqualDigits(const QFont& font)
{
    const QFontMetricsF metrics{font};
    const qreal zero = metrics.horizontalAdvance(QLatin1Char{'0'});
    for (char digit = '1'; digit <= '9'; ++digit) {
        const qreal advance = metrics.horizontalAdvance(QLatin1Char{digit});
        if (std::abs(advance - zero) > kAdvanceTolerancePx) {
            return false;
        }
    }
    return true;
}

QFont sized(QFont font, int px, QFont::Weight weight = QFont::Normal)
{
    font.setPixelSize(px);
    font.setWeight(weight);
    return font;
}

bool isInstalled(const QString& family)
{
    return QFontDatabase::families().contains(family);
}

QString uiFamily(const QFont& systemUi, Fonts::Families families)
{
    const QString own = QLatin1String{kPicturesUi};
    const QString system = QFontInfo{systemUi}.family();
    if (families == Fonts::Families::Fit && isFit(system)) {
        return system;
    }
    return isInstalled(own) ? own : system;
}

QFont monoFont()
{
    const QString own = QLatin1String{kPicturesMono};
    return isInstalled(own) ? QFont{own} : QFontDatabase::systemFont(QFontDatabase::FixedFont);
}

} // namespace

Fonts Fonts::make(const QFont& systemUi, Families families)
{
    const int systemPx = QFontInfo{systemUi}.pixelSize();
    const int bodyPx = std::max(kBodyPxMin, systemPx);
    // Sizes are given for a body of 13 px and grow with it.
    const auto scaled
        = [bodyPx](int px) { return (2 * px * bodyPx + kBodyPxMin) / (2 * kBodyPxMin); };
    QFont base{uiFamily(systemUi, families)};
    base.setHintingPreference(QFont::PreferDefaultHinting);
    const QFont mono = monoFont();

    Fonts fonts;
    fonts.body = sized(base, bodyPx);
    fonts.bold = sized(base, bodyPx, QFont::DemiBold);
    fonts.small = sized(base, scaled(12));
    fonts.smallBold = sized(base, scaled(12), QFont::DemiBold);
    fonts.label = sized(base, scaled(11));
    fonts.value = sized(base, scaled(20), QFont::DemiBold);
    fonts.pageTitle = sized(base, scaled(19), QFont::DemiBold);
    fonts.dialogTitle = sized(base, scaled(17), QFont::DemiBold);
    fonts.mono = sized(mono, scaled(12));
    fonts.monoSmall = sized(mono, scaled(11));
    return fonts;
}

bool isFit(const QString& family)
{
    if (!QFontDatabase::writingSystems(family).contains(QFontDatabase::Cyrillic)) {
        return false;
    }
    const QFont base{family};
    return hasEqualDigits(sized(base, kBodyPxMin))
        && hasEqualDigits(sized(base, kBodyPxMin, QFont::DemiBold))
        && hasEqualDigits(sized(base, 20, QFont::DemiBold));
}

const Fonts& currentFonts()
{
    if (!s_fonts) {
        s_fonts = Fonts::make(QFontDatabase::systemFont(QFontDatabase::GeneralFont));
    }
    return *s_fonts;
}

void setCurrentFonts(const Fonts& fonts)
{
    s_fonts = fonts;
}

int rowHeight(const QFont& font, Density density)
{
    const int air = density == Density::Compact ? 9 : 14;
    return QFontMetrics{font}.height() + air;
}

} // namespace ui
