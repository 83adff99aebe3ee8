// The identity of an event as octets to be hashed: the same event gives the same octets for ever.
#pragma once

#include <string>
#include <string_view>

namespace domain {

/**
 * Length (4 octets, big-endian) + event id, then length + event type, UTF-8 as received. Its
 * SHA-256 is the idempotency key; `crypto` hashes. Lengths go first because joining with any
 * separator lets two different pairs collide. Permanent: event_keys holds hashes of this for ever.
 */
std::string idempotencyKeyBytes(std::string_view eventId, std::string_view eventType);

} // namespace domain
