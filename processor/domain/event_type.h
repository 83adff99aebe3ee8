// Event types: one table says how each is written, which way it moves money, who may send it.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace domain {

enum class EventType {
    Deposit,
    Airdrop,
    Withdrawal,
    WithdrawalFee,
    Refund,
    ReorgReversal,
    ReorgCredit,
};

enum class Direction { Credit, Debit };

struct EventTypeRow
{
    EventType type;
    std::string_view text; // public: wire, tables, stream
    Direction direction;
    bool fromOutside; // accepted in a webhook
};

// A new type is a new line here, in the order of the enum.
inline constexpr std::array kEventTypes{
    EventTypeRow{EventType::Deposit, "deposit", Direction::Credit, true},
    EventTypeRow{EventType::Airdrop, "airdrop", Direction::Credit, true},
    EventTypeRow{EventType::Withdrawal, "withdrawal", Direction::Debit, true},
    EventTypeRow{EventType::WithdrawalFee, "withdrawal_fee", Direction::Debit, true},
    EventTypeRow{EventType::Refund, "refund", Direction::Debit, true},
    // Written by the chain role alone; from outside they would be a way to take money.
    EventTypeRow{EventType::ReorgReversal, "reorg_reversal", Direction::Debit, false},
    EventTypeRow{EventType::ReorgCredit, "reorg_credit", Direction::Credit, false},
};

constexpr const EventTypeRow& rowOf(EventType type)
{
    return kEventTypes[static_cast<std::size_t>(type)];
}

/** The public name: `withdrawal_fee`. */
constexpr std::string_view toText(EventType type)
{
    return rowOf(type).text;
}

/** Exact match only; nothing for a type this binary does not know. */
constexpr std::optional<EventType> eventTypeFromText(std::string_view text)
{
    for (const EventTypeRow& row : kEventTypes) {
        if (row.text == text) {
            return row.type;
        }
    }
    return std::nullopt;
}

constexpr bool isCredit(EventType type)
{
    return rowOf(type).direction == Direction::Credit;
}

constexpr bool isDebit(EventType type)
{
    return rowOf(type).direction == Direction::Debit;
}

/** Whether intake takes this type from a webhook. */
constexpr bool acceptedFromOutside(EventType type)
{
    return rowOf(type).fromOutside;
}

namespace detail {
constexpr bool eventTypesAreInOrder()
{
    for (std::size_t i = 0; i < kEventTypes.size(); ++i) {
        if (static_cast<std::size_t>(kEventTypes[i].type) != i) {
            return false;
        }
    }
    return true;
}
} // namespace detail
static_assert(detail::eventTypesAreInOrder(), "rowOf() finds a row by the enum's number");

} // namespace domain
