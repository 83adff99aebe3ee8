#include "processor/domain/decimal_text.h"

#include <algorithm>

namespace domain {
namespace {

// Far outside of what any amount may be, and far inside of what int64 can add up.
constexpr std::int64_t kExponentClamp = 1'000'000;

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isBlank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

std::string lowerCase(std::string_view text)
{
    std::string lower{text};
    for (char& c : lower) {
        c = c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
    }
    return lower;
}

/** Takes the digits at the start of `rest` away and returns them. */
std::string_view takeDigits(std::string_view& rest)
{
    const auto end = std::find_if_not(rest.begin(), rest.end(), isDigit);
    const auto count = std::size_t(end - rest.begin());
    const std::string_view digits = rest.substr(0, count);
    rest.remove_prefix(count);
    return digits;
}

/** Why the text is no number, told by the first character that cannot belong to one. */
base::Error whyMalformed(std::string_view text)
{
    const std::string lower = lowerCase(text);
    if (lower == "nan" || lower == "inf" || lower == "infinity") {
        return refusal("not_finite", "the amount is not a finite number");
    }
    if (text.empty()) {
        return refusal("blank", "the amount is empty");
    }
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (isBlank(c)) {
            return refusal("blank", "the amount contains a blank");
        }
        if (c == '_') {
            return refusal("underscore", "the amount contains an underscore");
        }
        if (static_cast<unsigned char>(c) >= 0x80) {
            return refusal("non_ascii_digit", "the amount may contain ASCII digits only");
        }
        if (i == 0 && (c == '+' || c == '-')) {
            return refusal("sign", "the amount must not carry a sign");
        }
    }
    return refusal("malformed", "the amount is not a plain decimal number");
}

/** The value of an exponent's digits, clamped. */
std::int64_t exponentValue(std::string_view digits)
{
    std::int64_t value = 0;
    for (const char c : digits) {
        value = std::min(value * 10 + (c - '0'), kExponentClamp);
    }
    return value;
}

DecimalText normalised(std::string_view whole, std::string_view fraction, std::int64_t exponent)
{
    std::string digits{whole};
    digits += fraction;
    exponent -= std::int64_t(fraction.size());

    const auto last = digits.find_last_not_of('0');
    if (last == std::string::npos) {
        return DecimalText{};
    }
    exponent += std::int64_t(digits.size() - last - 1);
    digits.erase(last + 1);
    digits.erase(0, digits.find_first_not_of('0'));
    return DecimalText{std::move(digits), exponent};
}

} // namespace

base::Error refusal(std::string_view code, std::string message)
{
    return base::Error{base::ErrorKind::Invalid, std::move(message), std::string{code}};
}

base::Result<DecimalText> readDecimal(std::string_view text, std::size_t lengthMax)
{
    if (text.size() > lengthMax) {
        return refusal(
            "too_long", "the amount is longer than " + std::to_string(lengthMax) + " characters");
    }

    std::string_view rest = text;
    const std::string_view whole = takeDigits(rest);
    if (whole.empty()) {
        return whyMalformed(text);
    }
    std::string_view fraction;
    if (!rest.empty() && rest.front() == '.') {
        rest.remove_prefix(1);
        fraction = takeDigits(rest);
        if (fraction.empty()) {
            return whyMalformed(text);
        }
    }
    std::int64_t exponent = 0;
    if (!rest.empty() && (rest.front() == 'e' || rest.front() == 'E')) {
        rest.remove_prefix(1);
        const bool negative = !rest.empty() && rest.front() == '-';
        if (negative || (!rest.empty() && rest.front() == '+')) {
            rest.remove_prefix(1);
        }
        const std::string_view digits = takeDigits(rest);
        if (digits.empty()) {
            return whyMalformed(text);
        }
        exponent = negative ? -exponentValue(digits) : exponentValue(digits);
    }
    if (!rest.empty()) {
        return whyMalformed(text);
    }
    return normalised(whole, fraction, exponent);
}

} // namespace domain
