// Sums as a schoolchild does them, on decimal digits: the independent judge of Amount and decide().
#pragma once

#include <string>
#include <string_view>

namespace model {

/** A signed decimal number with 18 decimals and any number of digits before the point. */
class Decimal
{
public:
    Decimal() = default;

    /** `-?digits.18 digits`, as toNumeric() writes it. */
    explicit Decimal(std::string_view numeric);

    Decimal operator+(const Decimal& other) const;
    Decimal operator-(const Decimal& other) const;
    Decimal operator-() const;
    bool operator<(const Decimal& other) const;
    bool operator==(const Decimal& other) const = default;

    bool isZero() const { return m_digits.empty(); }
    bool isNegative() const { return m_negative; }

    /** With all 18 decimals. */
    std::string text() const;

    /** Without trailing zeros. */
    std::string shortText() const;

private:
    std::string m_digits; // least significant first, no zeros at the end; empty is zero
    bool m_negative = false;
};

} // namespace model
