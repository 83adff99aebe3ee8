// One payment event as intake wrote it and settlement reads it.
#pragma once

#include "processor/domain/amount.h"
#include "processor/domain/event_type.h"
#include "processor/domain/ids.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace domain {

/** A user's money in one asset. Its order is the order in which balances are locked. */
struct AccountId
{
    UserId user;
    std::string asset;

    auto operator<=>(const AccountId&) const = default;
    bool operator==(const AccountId&) const = default;
};

struct Event
{
    EventNo no;
    std::string eventId;
    std::string typeText; // as received: another version may know a type that we do not
    std::string source = {};
    UserId user;
    std::string asset;
    Amount amount; // positive; the type gives the sign
    // A reorg event names merchant and original only if what it reverses or restores is a deposit.
    std::optional<std::string> merchant = {};
    std::optional<std::string> originalEventId = {};
    std::optional<std::string> chain = {};
    std::optional<std::string> txHash = {};
    std::optional<std::vector<std::int32_t>> txPosition = {}; // as reported
    std::string traceId = {};

    std::optional<EventType> type() const { return eventTypeFromText(typeText); }
    AccountId account() const { return AccountId{user, asset}; }
};

} // namespace domain
