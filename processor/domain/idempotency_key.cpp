#include "processor/domain/idempotency_key.h"

#include "processor/domain/length_prefix.h"

namespace domain {

std::string idempotencyKeyBytes(std::string_view eventId, std::string_view eventType)
{
    std::string octets;
    appendWithLength(octets, eventId);
    appendWithLength(octets, eventType);
    return octets;
}

} // namespace domain
