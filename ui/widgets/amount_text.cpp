#include "ui/widgets/amount_text.h"

namespace ui {

namespace {

constexpr QChar kMinus{0x2212}; // as wide as `+`, unlike the hyphen

// Not QLocale::toString(double), which is inexact, nor (qint64), which is too short.
QString groupedDigits(QStringView digits, const QString& separator)
{
    QString out;
    for (qsizetype i = 0; i < digits.size(); ++i) {
        if (i > 0 && (digits.size() - i) % 3 == 0) {
            out += separator;
        }
        out += digits[i];
    }
    return out;
}

} // namespace

AmountText::AmountText(
    const domain::Amount& amount, const QString& unit, Sign sign, const QLocale& locale)
    : m_raw{QString::fromStdString(amount.toText())}
    , m_unit{unit}
    , m_isNegative{amount.isNegative()}
{
    if (m_isNegative) {
        m_sign = QString{kMinus};
    } else if (sign == Sign::Moved && !amount.isZero()) {
        m_sign = QStringLiteral("+");
    }
    const QStringView magnitude = QStringView{m_raw}.mid(m_isNegative ? 1 : 0);
    const qsizetype point = magnitude.indexOf(u'.');
    m_whole = groupedDigits(magnitude.left(point), locale.groupSeparator());
    if (point >= 0) {
        m_point = locale.decimalPoint();
        const QStringView fraction = magnitude.mid(point + 1);
        m_fractionBright = fraction.left(kBrightDecimals).toString();
        m_fractionMuted = fraction.mid(kBrightDecimals).toString();
    }
}

std::optional<AmountText> AmountText::fromNumeric(
    QStringView text, const QString& unit, Sign sign, const QLocale& locale)
{
    const auto amount = domain::Amount::fromNumeric(text.toUtf8().toStdString());
    if (!amount) {
        return std::nullopt;
    }
    return AmountText{*amount, unit, sign, locale};
}

QString AmountText::displayed() const
{
    const QString number = m_sign + m_whole + m_point + m_fractionBright + m_fractionMuted;
    return m_unit.isEmpty() ? number : number + QChar{0x00A0} + m_unit;
}

} // namespace ui
