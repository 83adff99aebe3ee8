// Strong ids: every number that names a row, tagged so that a swapped argument does not compile.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace domain {

/** A bigint that names something. The tag makes ids of different things different types. */
template <class Tag>
class Id
{
public:
    constexpr explicit Id(std::int64_t value) : m_value{value} {}
    [[nodiscard]] constexpr std::int64_t value() const { return m_value; }
    constexpr auto operator<=>(const Id&) const = default;

private:
    std::int64_t m_value;
};

using BalanceEventId = Id<struct BalanceEventIdTag>; // a row of the journal
using DeliveryId = Id<struct DeliveryIdTag>;
using EventNo = Id<struct EventNoTag>; // one payment event, in order of arrival
using LetterId = Id<struct LetterIdTag>; // a row of dead_letter_queue
using LogNo = Id<struct LogNoTag>; // a row of payment_log and its stream entry
using NotificationId = Id<struct NotificationIdTag>;
using QuarantineId = Id<struct QuarantineIdTag>;
using ReplayItemId = Id<struct ReplayItemIdTag>;
using RequestId = Id<struct RequestIdTag>; // a replay request
using UserId = Id<struct UserIdTag>; // positive

} // namespace domain

template <class Tag>
struct std::hash<domain::Id<Tag>>
{
    std::size_t operator()(const domain::Id<Tag>& id) const noexcept
    {
        return std::hash<std::int64_t>{}(id.value());
    }
};
