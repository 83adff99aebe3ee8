// The native format: what a body must say to be an event, and the sentence for one that does not.
#pragma once

#include "processor/domain/amount.h"
#include "processor/domain/event_type.h"
#include "processor/domain/ids.h"
#include "processor/ingest/reason.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ingest {

/// An event as its provider says it is; user, asset and chain are not looked up yet.
struct Claimed
{
    std::string eventId;
    domain::EventType type{};
    domain::UserId user{1};
    domain::Amount amount;
    std::string asset = "ETH";
    std::optional<std::string> merchant = {};
    std::optional<std::string> originalEventId = {};
    std::optional<std::string> chain = {}; // CAIP-2; none: the asset's
    std::optional<std::string> txHash = {}; // hexadecimal in lower case
    std::optional<std::vector<std::int32_t>> txPosition = {};
    std::optional<std::string> toAddress = {}; // lower case
};

/// Judges in a fixed order: JSON, missing fields, ids, type, user, amount, the optional fields.
/// Unknown members are ignored; null counts as absent.
std::variant<Claimed, Refused> readNativeBody(std::string_view body);

} // namespace ingest
