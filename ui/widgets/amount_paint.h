// How an amount is drawn: in a column under its decimal point, or as one run of text.
#pragma once

#include "ui/widgets/amount_text.h"

#include <QColor>
#include <QFont>
#include <QRectF>

class QPainter;

namespace ui {

/** Where the parts of a column's amounts stand; the same for every row of it. */
struct AmountColumn
{
    /** For amounts of up to `wholeDigits` digits before the point and units as wide as `unit`. */
    static AmountColumn measured(int wholeDigits, const QString& unit);

    double signAndWhole = 0; // room left of the decimal point
    double fraction = 0; // the point and 18 decimals
    double unit = 0;

    static constexpr double kUnitGapPx = 8;
    /** All of it in logical pixels, without the cell's padding. */
    double width() const { return signAndWhole + fraction + kUnitGapPx + unit; }
};

/** The colours of an amount where nothing is selected or disabled. */
struct AmountColors
{
    QColor bright; // sign, integer, first six decimals
    QColor faint; // the other decimals, unit

    /** In the current theme: in, out, or plain text for what is held. */
    static AmountColors of(const AmountText& text, bool moved);
    /** Headings: all of one colour but the unit. */
    static AmountColors uniform(const QColor& color);
};

/**
 * Draws into `room`, the decimal point where the column has it. False and nothing of the number –
 * three dots – if it does not fit: half an amount is another amount.
 */
bool paintAmount(QPainter& painter, const QRectF& room, const AmountText& text,
    const AmountColumn& column, const AmountColors& colors);

/** The width of the amount as one run in this font, unit in the small one. */
double runWidth(const AmountText& text, const QFont& font);

/** Draws the amount as one run from the left edge, vertically centred; returns its width. */
double paintAmountRun(QPainter& painter, const QRectF& room, const AmountText& text,
    const QFont& font, const AmountColors& colors);

} // namespace ui
