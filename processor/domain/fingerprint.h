// What an event says, as octets to be hashed: tells a repeated delivery from a conflicting one.
#pragma once

#include "processor/domain/amount.h"
#include "processor/domain/ids.h"

#include <optional>
#include <string>
#include <string_view>

namespace domain {

/**
 * The statements in which two honest deliveries of one event agree. Block, log index,
 * confirmations, times, trace and source are left out because there they differ.
 */
struct FingerprintFields
{
    std::string_view eventType;
    std::optional<UserId> user; // exactly one of user and address is set: the one that was reported
    std::optional<std::string_view> address;
    std::string_view asset;
    Amount amount;
    std::optional<std::string_view> merchant = {};
    std::optional<std::string_view> original = {};
    std::optional<std::string_view> chain = {};
    std::optional<std::string_view> txHash = {};
};

/**
 * Canonical octets, fields in the order above: 0x00 for an absent field, else 0x01, length (4
 * octets, big-endian) and content. The amount has 18 decimals, the user is decimal; address and
 * hash that start with 0x are taken in lower case, since hexadecimal case carries no meaning.
 * Permanent: event_keys holds hashes of this for ever.
 */
std::string fingerprintBytes(const FingerprintFields& fields);

} // namespace domain
