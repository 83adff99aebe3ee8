// LetterCopy: a dead letter that PostgreSQL refused, as it stands in Redis until it is drained.
#pragma once

#include "processor/base/secret.h"
#include "processor/crypto/hmac.h"
#include "processor/domain/failure.h"
#include "processor/domain/ids.h"

#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace store {

// Lists in Redis, public names. Entries never expire.
inline constexpr std::string_view kLetterList = "dlq:payment_events";
inline constexpr std::string_view kDrainingList = "dlq:payment_events:draining";

/// An entry is a flat JSON object of these fields, all of them texts, and "hmac" over them.
struct LetterCopy
{
    std::string uid; // of the letter; the same in every copy
    domain::EventNo no;
    std::string eventId;
    std::string eventType;
    domain::UserId user;
    std::string asset;
    std::string amount; // decimal text
    std::optional<std::string> merchant;
    domain::Failure failure; // what the event ends as
    std::string error;
    std::string errorClass;
    std::string cause;
    int attempt; // the one that failed
    std::string traceId;
};

enum class EntryFault {
    Malformed, // not a form that we write
    Forged, // the form is right and the signature is not: another's hand, or another secret
};

/// The key of the entries' signatures: whoever may write to Redis cannot make letters with it.
[[nodiscard]] crypto::HmacSha256 letterKey(const base::Secret& webhookSecret);

[[nodiscard]] std::string writeLetterCopy(const LetterCopy& copy, const crypto::HmacSha256& key);

[[nodiscard]] std::variant<LetterCopy, EntryFault> readLetterCopy(
    std::string_view entry, const crypto::HmacSha256& key);

} // namespace store
