// AmountText: an exact amount as people read it and as it is copied; every digit, never rounded.
#pragma once

#include "processor/domain/amount.h"

#include <QLocale>
#include <QString>

#include <optional>

namespace ui {

/**
 * The parts of `+1,204.817360592114073 ETH`. Trailing zeros are cut, at least the integer stays;
 * the locale groups the integer and gives the decimal point; minus is U+2212.
 */
class AmountText
{
public:
    enum class Sign {
        Moved, // money in or out: always `+` or `−`
        Held, // balances, totals: none unless negative
    };

    AmountText(const domain::Amount& amount, const QString& unit, Sign sign,
        const QLocale& locale = QLocale{});

    /** From PostgreSQL's text of a numeric; nothing if it is none (NaN, a 19th decimal). */
    static std::optional<AmountText> fromNumeric(
        QStringView text, const QString& unit, Sign sign, const QLocale& locale = QLocale{});

    /** Digits after the 6th decimal are read last: they are painted in `muted`. */
    static constexpr int kBrightDecimals = 6;

    const QString& sign() const { return m_sign; } // "+", "−" or none
    const QString& whole() const { return m_whole; } // grouped: `1,204`
    const QString& point() const { return m_point; } // none without a fraction
    const QString& fractionBright() const { return m_fractionBright; }
    const QString& fractionMuted() const { return m_fractionMuted; }
    const QString& unit() const { return m_unit; }
    bool isOut() const { return m_isNegative; }

    /** Copy and CSV: `-1204.55`, plain ASCII, no unit. */
    const QString& raw() const { return m_raw; }

    /** Copy as displayed, sentences, screen readers: `−1,204.55 ETH`. */
    QString displayed() const;

private:
    QString m_raw, m_sign, m_whole, m_point, m_fractionBright, m_fractionMuted, m_unit;
    bool m_isNegative;
};

} // namespace ui
