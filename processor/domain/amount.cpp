#include "processor/domain/amount.h"

#include "processor/domain/decimal_text.h"

#include <boost/multiprecision/cpp_int.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>

namespace domain {
namespace {

namespace mp = boost::multiprecision;

// Twice as wide as what an Amount holds: a sum of two needs 257 bits, base units times 10^18 need
// 316. So no step between load and store can wrap, and store alone has to judge the range.
using Wide = mp::number<mp::cpp_int_backend<512, 512, mp::signed_magnitude, mp::unchecked, void>>;
using Limb = mp::limb_type;
static_assert(sizeof(Limb) == sizeof(std::uint64_t), "limbs are copied as they are");

constexpr unsigned kMagnitudeBits = 256;
constexpr int kScale = 18;
constexpr int kWholeDigitsMax = 20; // 10^20 has 21
constexpr int kWholeDigitsWide = 60; // 2^256 / 10^18 has 60
constexpr std::size_t kBaseUnitDigitsMax = 78; // 2^256 - 1 in decimal
constexpr std::size_t kBaseUnitNibblesMax = 64; // and in hexadecimal
constexpr std::uint64_t kOne = 1'000'000'000'000'000'000; // 10^18

/** 10^exponent, 0 <= exponent <= 18. */
std::uint64_t powerOfTen(int exponent)
{
    CHECK(exponent >= 0 && exponent <= kScale);
    std::uint64_t power = 1;
    for (int i = 0; i < exponent; ++i) {
        power *= 10;
    }
    return power;
}

/** The value of at most 78 decimal digits. */
Wide wideFromDigits(std::string_view digits)
{
    CHECK(digits.size() <= kBaseUnitDigitsMax);
    Wide value = 0;
    while (!digits.empty()) {
        const std::size_t taken = std::min(digits.size(), std::size_t(kScale));
        std::uint64_t part = 0;
        for (const char c : digits.substr(0, taken)) {
            part = part * 10 + std::uint64_t(c - '0');
        }
        value = value * powerOfTen(int(taken)) + part;
        digits.remove_prefix(taken);
    }
    return value;
}

/** digits × 10^exponent × 10^18; the caller has judged that it is whole and at most 78 digits. */
Wide scaledFrom(const DecimalText& decimal)
{
    Wide value = wideFromDigits(decimal.digits);
    for (std::int64_t left = decimal.exponent + kScale; left > 0; left -= kScale) {
        value *= powerOfTen(int(std::min<std::int64_t>(left, kScale)));
    }
    return value;
}

std::string eighteenDigits(std::uint64_t value)
{
    const std::string digits = std::to_string(value);
    return std::string(std::size_t(kScale) - digits.size(), '0') + digits;
}

std::string wholeToText(Wide value)
{
    std::string text;
    while (value >= kOne) {
        text.insert(0, eighteenDigits(static_cast<std::uint64_t>(Wide{value % kOne})));
        value /= kOne;
    }
    return std::to_string(static_cast<std::uint64_t>(value)) + text;
}

std::optional<unsigned> nibble(char c)
{
    if (c >= '0' && c <= '9') {
        return unsigned(c - '0');
    }
    if (c >= 'a' && c <= 'f') {
        return unsigned(c - 'a') + 10;
    }
    if (c >= 'A' && c <= 'F') {
        return unsigned(c - 'A') + 10;
    }
    return std::nullopt;
}

std::string_view withoutLeadingZeros(std::string_view digits)
{
    digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
    return digits;
}

base::Result<Wide> hexBaseUnits(std::string_view digits)
{
    Wide value = 0;
    const std::string_view significant = withoutLeadingZeros(digits);
    for (const char c : significant) {
        if (!nibble(c)) {
            return refusal("malformed", "the base units are not a hexadecimal number");
        }
    }
    if (digits.empty()) {
        return refusal("malformed", "the base units have no digit");
    }
    if (significant.size() > kBaseUnitNibblesMax) {
        return refusal("too_large", "the base units exceed 256 bits");
    }
    for (const char c : significant) {
        value = (value << 4) + *nibble(c);
    }
    return value;
}

base::Result<Wide> decimalBaseUnits(std::string_view text)
{
    if (text.find_first_of(".eE") != std::string_view::npos) {
        return refusal("malformed", "base units are a whole number without exponent");
    }
    const auto decimal = readDecimal(text, Amount::kTextMax);
    if (!decimal) {
        return decimal.error();
    }
    const std::string_view significant = withoutLeadingZeros(text);
    if (significant.size() > kBaseUnitDigitsMax) {
        return refusal("too_large", "the base units exceed 256 bits");
    }
    return wideFromDigits(significant);
}

base::Error tooLarge()
{
    return refusal("too_large", "the amount must be less than 10^20");
}

base::Error beyondBits()
{
    return refusal("too_large", "the amount exceeds 256 bits");
}

base::Error corrupt(std::string_view code, std::string message)
{
    return base::Error{base::ErrorKind::Corrupt, std::move(message), std::string{code}};
}

} // namespace

/** The one bridge between an Amount's octets and Boost's numbers. */
struct AmountBits
{
    static Wide load(const Amount& amount)
    {
        Wide value;
        auto& backend = value.backend();
        backend.resize(4, 4);
        std::copy(amount.m_limbs.begin(), amount.m_limbs.end(), backend.limbs());
        backend.sign(amount.m_negative);
        backend.normalize();
        return value;
    }

    /** Nothing if the magnitude needs more than 256 bits. */
    static std::optional<Amount> store(const Wide& value)
    {
        if (!value.is_zero() && mp::msb(abs(value)) >= kMagnitudeBits) {
            return std::nullopt;
        }
        Amount amount;
        const auto& backend = value.backend();
        std::copy(backend.limbs(), backend.limbs() + backend.size(), amount.m_limbs.begin());
        amount.m_negative = value < 0;
        return amount;
    }
};

base::Result<Amount> Amount::parseBalance(std::string_view text)
{
    const auto decimal = readDecimal(text, kTextMax);
    if (!decimal) {
        return decimal.error();
    }
    if (decimal->digits.empty()) {
        return Amount{};
    }
    if (decimal->wholeDigits() > kWholeDigitsMax) {
        return tooLarge();
    }
    if (decimal->exponent < -kScale) {
        return refusal("too_many_decimals", "the amount has more than 18 decimals");
    }
    const auto amount = AmountBits::store(scaledFrom(*decimal));
    CHECK(amount); // 38 digits need 127 bits
    return *amount;
}

base::Result<Amount> Amount::parseEvent(std::string_view text)
{
    const auto amount = parseBalance(text);
    if (!amount) {
        return amount.error();
    }
    if (const auto status = amount->checkEvent(); !status) {
        return status.error();
    }
    return amount;
}

base::Result<Amount> Amount::fromNumeric(std::string_view text)
{
    const bool negative = !text.empty() && text.front() == '-';
    const std::string_view unsignedText = text.substr(negative ? 1 : 0);
    if (unsignedText.find_first_of("eE") != std::string_view::npos) {
        return corrupt("malformed", "a numeric from the database has an exponent");
    }
    const auto decimal = readDecimal(unsignedText, kTextMax);
    if (!decimal) {
        return corrupt(decimal.error().code, "from the database: " + decimal.error().message);
    }
    if (decimal->exponent < -kScale) {
        return corrupt("too_many_decimals", "a numeric from the database has over 18 decimals");
    }
    if (decimal->wholeDigits() > kWholeDigitsWide) {
        return corrupt("too_large", "a numeric from the database exceeds 256 bits");
    }
    const Wide magnitude = scaledFrom(*decimal);
    const auto amount = AmountBits::store(negative ? Wide{-magnitude} : magnitude);
    if (!amount) {
        return corrupt("too_large", "a numeric from the database exceeds 256 bits");
    }
    return *amount;
}

base::Result<Amount> Amount::fromBaseUnits(std::string_view text, int decimals)
{
    CHECK(decimals >= 0 && decimals <= kScale);
    if (text.size() > kTextMax) {
        return refusal("too_long", "the base units are longer than 128 characters");
    }
    const bool hex = text.starts_with("0x") || text.starts_with("0X");
    const auto units = hex ? hexBaseUnits(text.substr(2)) : decimalBaseUnits(text);
    if (!units) {
        return units.error();
    }
    if (!units->is_zero() && mp::msb(*units) >= kMagnitudeBits) {
        return refusal("too_large", "the base units exceed 256 bits");
    }
    const auto amount = AmountBits::store(Wide{*units * powerOfTen(kScale - decimals)});
    if (!amount) {
        return beyondBits();
    }
    return *amount;
}

Amount Amount::limit()
{
    static const Amount kLimit = [] {
        const auto amount = AmountBits::store(Wide{Wide{100} * kOne * kOne});
        CHECK(amount);
        return *amount;
    }();
    return kLimit;
}

base::Status Amount::checkEvent() const
{
    if (isZero()) {
        return refusal("zero", "the amount must be greater than zero");
    }
    if (isNegative()) {
        return refusal("sign", "the amount must not be negative");
    }
    if (*this >= limit()) {
        return tooLarge();
    }
    return base::Done{};
}

std::string Amount::toNumeric() const
{
    const Wide magnitude = abs(AmountBits::load(*this));
    const std::string whole = wholeToText(Wide{magnitude / kOne});
    const auto fraction = static_cast<std::uint64_t>(Wide{magnitude % kOne});
    return (m_negative ? "-" : "") + whole + "." + eighteenDigits(fraction);
}

std::string Amount::toText() const
{
    std::string text = toNumeric();
    text.erase(text.find_last_not_of('0') + 1); // the point stops it before the whole digits
    if (text.back() == '.') {
        text.pop_back();
    }
    return text;
}

base::Result<Amount> Amount::plus(const Amount& other) const
{
    const auto sum = AmountBits::store(Wide{AmountBits::load(*this) + AmountBits::load(other)});
    if (!sum) {
        return beyondBits();
    }
    return *sum;
}

base::Result<Amount> Amount::minus(const Amount& other) const
{
    return plus(other.negated());
}

Amount Amount::negated() const
{
    Amount amount = *this;
    amount.m_negative = !m_negative && !isZero();
    return amount;
}

} // namespace domain
