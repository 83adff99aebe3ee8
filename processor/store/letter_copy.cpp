#include "processor/store/letter_copy.h"

#include "processor/base/hex.h"
#include "processor/base/json_writer.h"
#include "processor/store/flat_object.h"

#include <charconv>
#include <cstdint>
#include <limits>
#include <utility>

namespace store {
namespace {

constexpr std::string_view kVersion = "1";
constexpr std::size_t kMembers = 16; // with version and signature
constexpr std::size_t kUuidSize = 36;

/// All but the signature, with the object still open.
base::JsonWriter& writeFields(base::JsonWriter& json, const LetterCopy& copy)
{
    json.beginObject()
        .field("v", kVersion)
        .field("letter_uid", copy.uid)
        .field("event_no", std::to_string(copy.no.value()))
        .field("event_id", copy.eventId)
        .field("event_type", copy.eventType)
        .field("user_id", std::to_string(copy.user.value()))
        .field("asset", copy.asset)
        .field("amount", copy.amount)
        .key("merchant_id");
    if (copy.merchant) {
        json.text(*copy.merchant);
    } else {
        json.null();
    }
    return json.field("failure", domain::toText(copy.failure))
        .field("error", copy.error)
        .field("error_class", copy.errorClass)
        .field("cause", copy.cause)
        .field("attempt", std::to_string(copy.attempt))
        .field("trace_id", copy.traceId);
}

std::string signatureOf(const LetterCopy& copy, const crypto::HmacSha256& key)
{
    base::JsonWriter json;
    const auto digest = key.sign(writeFields(json, copy).endObject().take());
    return base::toHex(digest);
}

std::optional<std::int64_t> numberOf(const std::string& text)
{
    std::int64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, problem] = std::from_chars(text.data(), end, number);
    const bool isWhole = problem == std::errc{} && stop == end && number > 0;
    return isWhole ? std::optional{number} : std::nullopt;
}

bool isUuid(const std::string& text)
{
    if (text.size() != kUuidSize) return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool isDash = i == 8 || i == 13 || i == 18 || i == 23;
        const bool isDigit
            = std::string_view{"0123456789abcdef"}.find(text[i]) != std::string_view::npos;
        if (isDash ? text[i] != '-' : !isDigit) return false;
    }
    return true;
}

/// Takes members out of an entry; one that is missing or no text spoils the whole.
class Members
{
public:
    explicit Members(FlatObject object) : m_object{std::move(object)} {}

    std::string text(std::string_view name)
    {
        auto value = textOrNull(name);
        m_isGood = m_isGood && value.has_value();
        return value ? std::move(*value) : std::string{};
    }
    std::optional<std::string> textOrNull(std::string_view name)
    {
        const auto found = m_object.find(name);
        m_isGood = m_isGood && found != m_object.end();
        return found == m_object.end() ? std::nullopt : found->second;
    }
    std::int64_t number(std::string_view name)
    {
        const auto number = numberOf(text(name));
        m_isGood = m_isGood && number.has_value();
        return number.value_or(1);
    }
    void require(bool condition) { m_isGood = m_isGood && condition; }
    [[nodiscard]] bool isGood() const { return m_isGood; }

private:
    FlatObject m_object;
    bool m_isGood = true;
};

} // namespace

crypto::HmacSha256 letterKey(const base::Secret& webhookSecret)
{
    return crypto::HmacSha256{crypto::deriveKey(webhookSecret, "dlq")};
}

std::string writeLetterCopy(const LetterCopy& copy, const crypto::HmacSha256& key)
{
    base::JsonWriter json;
    return writeFields(json, copy).field("hmac", signatureOf(copy, key)).endObject().take();
}

std::variant<LetterCopy, EntryFault> readLetterCopy(
    std::string_view entry, const crypto::HmacSha256& key)
{
    auto object = readFlatObject(entry);
    if (!object || object->size() != kMembers) return EntryFault::Malformed;
    Members members{std::move(*object)};
    members.require(members.text("v") == kVersion);
    const auto failure = domain::failureFromText(members.text("failure"));
    members.require(failure && domain::hasDeadLetter(*failure));
    const std::int64_t attempt = members.number("attempt");
    members.require(attempt <= std::numeric_limits<std::int16_t>::max());
    const std::string signature = members.text("hmac");
    LetterCopy copy{.uid = members.text("letter_uid"),
        .no = domain::EventNo{members.number("event_no")},
        .eventId = members.text("event_id"),
        .eventType = members.text("event_type"),
        .user = domain::UserId{members.number("user_id")},
        .asset = members.text("asset"),
        .amount = members.text("amount"),
        .merchant = members.textOrNull("merchant_id"),
        .failure = failure.value_or(domain::Failure::Exhausted),
        .error = members.text("error"),
        .errorClass = members.text("error_class"),
        .cause = members.text("cause"),
        .attempt = static_cast<int>(attempt),
        .traceId = members.text("trace_id")};
    members.require(isUuid(copy.uid));
    if (!members.isGood()) return EntryFault::Malformed;
    // Over the fields, not over the entry's octets: blanks between them mean nothing.
    const bool isOurs = crypto::equalInConstantTime(
        base::asBytes(signatureOf(copy, key)), base::asBytes(signature));
    if (!isOurs) return EntryFault::Forged;
    return copy;
}

} // namespace store
