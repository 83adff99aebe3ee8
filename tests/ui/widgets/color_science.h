// Colour arithmetic of the tests: contrast by WCAG 2, colour blindness by Machado 2009, CIEDE2000.
#pragma once

#include <QColor>

#include <array>

namespace color {

/** WCAG 2.1 contrast ratio, 1 to 21. */
double contrast(const QColor& one, const QColor& other);

enum class Sight { Normal, Protanopia, Deuteranopia };

/** What somebody with full protanopia or deuteranopia sees (Machado, Oliveira, Fernandes 2009). */
QColor seen(const QColor& color, Sight sight);

/** CIEDE2000 difference under D65; 10 is clear at a glance. */
double difference(const QColor& one, const QColor& other);

} // namespace color
