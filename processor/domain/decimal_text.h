// A decimal number as somebody wrote it: read and judged by its digits, never expanded.
#pragma once

#include "processor/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace domain {

/** digits × 10^exponent. Digits have no leading and no trailing zeros; none at all means zero. */
struct DecimalText
{
    std::string digits;
    std::int64_t exponent = 0;

    /** Digits before the point if it were written out; negative counts zeros after the point. */
    std::int64_t wholeDigits() const { return std::int64_t(digits.size()) + exponent; }
};

/**
 * Reads `[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?` of at most `lengthMax` characters. Exponents beyond
 * any use are clamped, so their size costs nothing. Error Invalid with the code of the rule that
 * the leftmost offending character breaks; codes as in Amount.
 */
base::Result<DecimalText> readDecimal(std::string_view text, std::size_t lengthMax);

/** An Error of kind Invalid with the code of a rule. */
base::Error refusal(std::string_view code, std::string message);

} // namespace domain
