#include "processor/ingest/native_body.h"

#include "processor/base/limits.h"
#include "processor/ingest/json_object.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace ingest {
namespace {

using Kind = JsonValue::Kind;

// A field, or nothing when it is absent or null.
const JsonValue* present(const JsonObject& object, std::string_view name)
{
    const JsonValue* value = object.find(name);
    return value != nullptr && value->kind != Kind::Null ? value : nullptr;
}

// Characters, not octets; the text is UTF-8, for the JSON reader saw to that.
std::size_t characters(std::string_view text)
{
    return static_cast<std::size_t>(std::ranges::count_if(
        text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

// C0, DEL and C1 (U+0080 to U+009F, in UTF-8 c2 80 to c2 9f).
bool hasControlCharacter(std::string_view text)
{
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto octet = static_cast<unsigned char>(text[i]);
        if (octet < 0x20 || octet == 0x7f) return true;
        if (octet == 0xc2 && i + 1 < text.size()
            && static_cast<unsigned char>(text[i + 1]) <= 0x9f) {
            return true;
        }
    }
    return false;
}

std::optional<Refused> judgeId(std::string_view name, const JsonValue& value)
{
    const std::string field{name};
    if (value.kind != Kind::Text) {
        return Refused{Reason::InvalidId, field + " must be a JSON string"};
    }
    if (value.text.empty() || characters(value.text) > base::kIdMax) {
        return Refused{Reason::InvalidId, field + " must have 1 to 200 characters"};
    }
    if (hasControlCharacter(value.text)) {
        return Refused{Reason::InvalidId, field + " must not contain control characters"};
    }
    return std::nullopt;
}

// The digits of a JSON integer: no sign, fraction or exponent.
template <class Number>
std::optional<Number> wholeNumber(std::string_view token)
{
    Number number{};
    const char* end = token.data() + token.size();
    const auto [stop, error] = std::from_chars(token.data(), end, number);
    if (error != std::errc{} || stop != end || token.starts_with('-')) return std::nullopt;
    return number;
}

// Hexadecimal case carries no meaning, so one spelling is kept; other alphabets keep theirs.
std::string lowerHex(std::string text)
{
    if (text.starts_with("0x") || text.starts_with("0X")) {
        std::ranges::transform(text, text.begin(),
            [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    }
    return text;
}

std::string lowerAscii(std::string text)
{
    std::ranges::transform(text, text.begin(),
        [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return text;
}

class Reader
{
public:
    explicit Reader(const JsonObject& object) : m_object{object} {}

    std::optional<Refused> required();
    std::optional<Refused> identity();
    std::optional<Refused> amount();
    std::optional<Refused> optionalIds();
    std::optional<Refused> place();

    Claimed claimed;

private:
    std::optional<Refused> optionalId(std::string_view name, std::optional<std::string>& into);
    std::optional<Refused> position();

    const JsonObject& m_object;
};

std::optional<Refused> Reader::required()
{
    for (const std::string_view name : {"event_id", "event_type", "user_id", "amount"}) {
        if (present(m_object, name) == nullptr) {
            return Refused{Reason::MissingField, std::string{name} + " is missing"};
        }
    }
    return std::nullopt;
}

std::optional<Refused> Reader::identity()
{
    const JsonValue& id = *present(m_object, "event_id");
    if (auto refused = judgeId("event_id", id)) return refused;
    claimed.eventId = id.text;

    const JsonValue& type = *present(m_object, "event_type");
    const auto known
        = type.kind == Kind::Text ? domain::eventTypeFromText(type.text) : std::nullopt;
    if (!known || !domain::acceptedFromOutside(*known)) {
        return Refused{Reason::UnknownEventType,
            "event_type must be one of the types that are taken from outside"};
    }
    claimed.type = *known;

    const JsonValue& user = *present(m_object, "user_id");
    const auto number = user.kind == Kind::Number ? wholeNumber<std::int64_t>(user.text)
                                                  : std::optional<std::int64_t>{};
    if (!number || *number < 1) {
        return Refused{
            Reason::InvalidId, "user_id must be a JSON integer from 1 to 9223372036854775807"};
    }
    claimed.user = domain::UserId{*number};
    return std::nullopt;
}

std::optional<Refused> Reader::amount()
{
    const JsonValue& amount = *present(m_object, "amount");
    if (amount.kind != Kind::Text) {
        return Refused{Reason::AmountNotString,
            "amount must be a JSON string such as \"50.1\": a JSON number may be rounded on its "
            "way"};
    }
    auto parsed = domain::Amount::parseEvent(amount.text);
    if (!parsed) {
        return Refused{Reason::InvalidAmount, parsed.error().code + ": " + parsed.error().message};
    }
    claimed.amount = *parsed;
    return std::nullopt;
}

std::optional<Refused> Reader::optionalId(std::string_view name, std::optional<std::string>& into)
{
    const JsonValue* value = present(m_object, name);
    if (value == nullptr) return std::nullopt;
    if (auto refused = judgeId(name, *value)) return refused;
    into = value->text;
    return std::nullopt;
}

std::optional<Refused> Reader::optionalIds()
{
    if (auto refused = optionalId("merchant_id", claimed.merchant)) return refused;
    if (auto refused = optionalId("original_event_id", claimed.originalEventId)) return refused;
    if (claimed.type == domain::EventType::Refund && !claimed.originalEventId) {
        return Refused{Reason::MissingField, "original_event_id is missing: a refund needs it"};
    }
    return std::nullopt;
}

std::optional<Refused> Reader::place()
{
    for (const auto& [name, isAsset] : {std::pair{"asset", true}, std::pair{"chain", false}}) {
        const JsonValue* value = present(m_object, name);
        if (value == nullptr) continue;
        if (judgeId(name, *value)) {
            return Refused{Reason::UnknownAsset, std::string{name} + " is not known here"};
        }
        (isAsset ? claimed.asset : claimed.chain.emplace()) = value->text;
    }
    if (auto refused = optionalId("tx_hash", claimed.txHash)) return refused;
    if (claimed.txHash) claimed.txHash = lowerHex(std::move(*claimed.txHash));
    if (auto refused = optionalId("to_address", claimed.toAddress)) return refused;
    if (claimed.toAddress) claimed.toAddress = lowerAscii(std::move(*claimed.toAddress));
    return position();
}

std::optional<Refused> Reader::position()
{
    const JsonValue* value = present(m_object, "tx_position");
    if (value == nullptr) return std::nullopt;
    const Refused refused{Reason::InvalidId,
        "tx_position must be a JSON integer, or an array of 1 to 32 of them, from -2147483648 to "
        "2147483647"};
    std::vector<std::string> tokens;
    if (value->kind == Kind::Number) tokens = {value->text};
    if (value->kind == Kind::Array && value->holdsOnlyNumbers) tokens = value->numbers;
    if (tokens.empty() || tokens.size() > base::kTxPositionMax) return refused;
    std::vector<std::int32_t> numbers;
    for (const std::string& token : tokens) {
        // -1 and -2 are positions too: the native transfer, and the path of an internal one.
        const bool isNegative = token.starts_with('-');
        const auto digits
            = wholeNumber<std::int64_t>(std::string_view{token}.substr(isNegative ? 1 : 0));
        if (!digits) return refused;
        const std::int64_t number = isNegative ? -*digits : *digits;
        if (!std::in_range<std::int32_t>(number)) return refused;
        numbers.push_back(static_cast<std::int32_t>(number));
    }
    claimed.txPosition = std::move(numbers);
    return std::nullopt;
}

} // namespace

std::variant<Claimed, Refused> readNativeBody(std::string_view body)
{
    const auto object = JsonObject::read(body);
    if (!object) return Refused{Reason::InvalidJson, object.error().message};
    Reader reader{*object};
    if (auto refused = reader.required()) return std::move(*refused);
    if (auto refused = reader.identity()) return std::move(*refused);
    if (auto refused = reader.amount()) return std::move(*refused);
    if (auto refused = reader.optionalIds()) return std::move(*refused);
    if (auto refused = reader.place()) return std::move(*refused);
    return std::move(reader.claimed);
}

} // namespace ingest
