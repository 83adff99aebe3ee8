#include "processor/domain/fingerprint.h"

#include "processor/base/check.h"
#include "processor/domain/length_prefix.h"

namespace domain {
namespace {

using OptionalText = std::optional<std::string_view>;

void appendField(std::string& octets, OptionalText field)
{
    octets.push_back(field ? '\x01' : '\x00');
    if (field) {
        appendWithLength(octets, *field);
    }
}

/** Lower case for what starts with 0x; other alphabets (base58) mean something by their case. */
std::optional<std::string> canonicalHex(OptionalText field)
{
    if (!field) {
        return std::nullopt;
    }
    std::string text{*field};
    if (text.starts_with("0x") || text.starts_with("0X")) {
        for (char& c : text) {
            c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        }
    }
    return text;
}

} // namespace

std::string fingerprintBytes(const FingerprintFields& fields)
{
    CHECK(fields.user.has_value() != fields.address.has_value());
    std::optional<std::string> user;
    if (fields.user) {
        user = std::to_string(fields.user->value());
    }

    std::string octets;
    appendField(octets, fields.eventType);
    appendField(octets, user);
    appendField(octets, canonicalHex(fields.address));
    appendField(octets, fields.asset);
    appendField(octets, fields.amount.toNumeric());
    appendField(octets, fields.merchant);
    appendField(octets, fields.original);
    appendField(octets, fields.chain);
    appendField(octets, canonicalHex(fields.txHash));
    return octets;
}

} // namespace domain
