// Amount: exact money. Signed, scaled by 10^18, 256 bits of magnitude; never rounds, never wraps.
#pragma once

#include "processor/base/result.h"

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace domain {

/**
 * A sum of some asset in whole units with 18 decimals. The asset is known by whoever holds the
 * amount. Each operation either gives the exact result or an Error; there is no rounding.
 *
 * Refusals carry a `code` that names the rule (public: answers and tests rely on it) and a
 * `message` that is a sentence for a person. Codes: `too_long`, `blank`, `sign`, `underscore`,
 * `non_ascii_digit`, `not_finite`, `malformed`, `zero`, `too_large`, `too_many_decimals`.
 */
class Amount
{
public:
    /** Zero. */
    constexpr Amount() = default;

    /**
     * The amount of an event as a provider writes it: `[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?`, at
     * most kTextMax characters, greater than 0, less than limit(), at most 18 decimals once
     * trailing zeros are dropped. Exponents are judged before anything is expanded. Error: Invalid.
     */
    static base::Result<Amount> parseEvent(std::string_view text);

    /** The same grammar and limits for an opening balance, which may be zero. Error: Invalid. */
    static base::Result<Amount> parseBalance(std::string_view text);

    /**
     * What PostgreSQL prints for numeric(38,18) or for a sum of such: `-?[0-9]+(\.[0-9]+)?`,
     * without the limit of 10^20. Anything else (NaN, a 19th decimal) means our schema or code is
     * wrong. Error: Corrupt.
     */
    static base::Result<Amount> fromNumeric(std::string_view text);

    /**
     * Base units of a token (`255`, `0xff`, an ABI word with its leading zeros) divided by
     * 10^decimals, exactly. Zero is a value here; judge the result with checkEvent(). What does not
     * fit 256 bits after scaling is `too_large`. Error: Invalid. `decimals` is 0..18, from our own
     * asset table.
     */
    static base::Result<Amount> fromBaseUnits(std::string_view text, int decimals);

    /** 10^20: every balance, debt and event amount stays below it (numeric(38,18)). */
    static Amount limit();

    /** Whether an event may carry this amount: 0 < amount < limit(). Error: Invalid. */
    base::Status checkEvent() const;

    /** Canonical plain decimal: no exponent, no trailing zeros, no "-0". `50`, `0.1`, `-3.25`. */
    std::string toText() const;

    /** Exactly 18 decimals, as numeric(38,18)::text writes it: `50.000000000000000000`. */
    std::string toNumeric() const;

    /** Exact sum; Error Invalid `too_large` beyond 256 bits. */
    base::Result<Amount> plus(const Amount& other) const;

    /** Exact difference; Error Invalid `too_large` beyond 256 bits. */
    base::Result<Amount> minus(const Amount& other) const;

    /** The same magnitude with the other sign; zero stays zero. */
    Amount negated() const;

    constexpr bool isZero() const { return *this == Amount{}; }
    constexpr bool isNegative() const { return m_negative; }
    constexpr bool isPositive() const { return !m_negative && !isZero(); }

    constexpr bool operator==(const Amount& other) const = default;
    constexpr std::strong_ordering operator<=>(const Amount& other) const
    {
        if (m_negative != other.m_negative) {
            return m_negative ? std::strong_ordering::less : std::strong_ordering::greater;
        }
        const auto& left = m_negative ? other.m_limbs : m_limbs;
        const auto& right = m_negative ? m_limbs : other.m_limbs;
        for (std::size_t i = left.size(); i-- > 0;) {
            if (left[i] != right[i]) {
                return left[i] <=> right[i];
            }
        }
        return std::strong_ordering::equal;
    }

    /** Longest text that parseEvent, parseBalance, fromNumeric and fromBaseUnits look at. */
    static constexpr std::size_t kTextMax = 128;

private:
    // Boost.Multiprecision stays in amount.cpp: it costs seconds in every file that sees it.
    friend struct AmountBits;

    std::array<std::uint64_t, 4> m_limbs{}; // magnitude × 10^18, least significant first
    bool m_negative = false; // never set for zero
};

} // namespace domain
