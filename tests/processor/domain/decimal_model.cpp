#include "tests/processor/domain/decimal_model.h"

#include <algorithm>

namespace model {
namespace {

constexpr std::size_t kDecimals = 18;

void dropLeadingZeros(std::string& digits)
{
    while (!digits.empty() && digits.back() == '0') {
        digits.pop_back();
    }
}

bool isSmaller(const std::string& left, const std::string& right)
{
    if (left.size() != right.size()) {
        return left.size() < right.size();
    }
    return std::lexicographical_compare(left.rbegin(), left.rend(), right.rbegin(), right.rend());
}

std::string added(const std::string& left, const std::string& right)
{
    std::string sum;
    int carry = 0;
    for (std::size_t i = 0; i < std::max(left.size(), right.size()) || carry != 0; ++i) {
        int digit = carry;
        digit += i < left.size() ? left[i] - '0' : 0;
        digit += i < right.size() ? right[i] - '0' : 0;
        sum.push_back(static_cast<char>('0' + digit % 10));
        carry = digit / 10;
    }
    return sum;
}

/** left - right, where left is not smaller. */
std::string taken(const std::string& left, const std::string& right)
{
    std::string rest;
    int borrowed = 0;
    for (std::size_t i = 0; i < left.size(); ++i) {
        int digit = left[i] - '0' - borrowed - (i < right.size() ? right[i] - '0' : 0);
        borrowed = digit < 0 ? 1 : 0;
        digit += borrowed * 10;
        rest.push_back(static_cast<char>('0' + digit));
    }
    dropLeadingZeros(rest);
    return rest;
}

} // namespace

Decimal::Decimal(std::string_view numeric)
{
    const bool negative = numeric.front() == '-';
    for (const char c : numeric.substr(negative ? 1 : 0)) {
        if (c != '.') {
            m_digits.insert(m_digits.begin(), c);
        }
    }
    dropLeadingZeros(m_digits);
    m_negative = negative && !m_digits.empty();
}

Decimal Decimal::operator+(const Decimal& other) const
{
    Decimal sum;
    if (m_negative == other.m_negative) {
        sum.m_digits = added(m_digits, other.m_digits);
        sum.m_negative = m_negative;
    } else {
        const bool otherWins = isSmaller(m_digits, other.m_digits);
        sum.m_digits
            = otherWins ? taken(other.m_digits, m_digits) : taken(m_digits, other.m_digits);
        sum.m_negative = otherWins ? other.m_negative : m_negative;
    }
    sum.m_negative = sum.m_negative && !sum.m_digits.empty();
    return sum;
}

Decimal Decimal::operator-(const Decimal& other) const
{
    return *this + -other;
}

Decimal Decimal::operator-() const
{
    Decimal negated = *this;
    negated.m_negative = !m_negative && !m_digits.empty();
    return negated;
}

bool Decimal::operator<(const Decimal& other) const
{
    if (m_negative != other.m_negative) {
        return m_negative;
    }
    return m_negative ? isSmaller(other.m_digits, m_digits) : isSmaller(m_digits, other.m_digits);
}

std::string Decimal::text() const
{
    std::string digits = m_digits;
    while (digits.size() < kDecimals + 1) {
        digits.push_back('0');
    }
    digits.insert(kDecimals, ".");
    if (m_negative) {
        digits.push_back('-');
    }
    std::reverse(digits.begin(), digits.end());
    return digits;
}

std::string Decimal::shortText() const
{
    std::string shortened = text();
    while (shortened.back() == '0') {
        shortened.pop_back();
    }
    if (shortened.back() == '.') {
        shortened.pop_back();
    }
    return shortened;
}

} // namespace model
