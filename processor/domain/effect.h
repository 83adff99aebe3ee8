// What a confirmed event of each type does besides moving its account: one row per type.
#pragma once

#include "processor/domain/event_type.h"
#include "processor/domain/log_kind.h"
#include "processor/domain/notification_kind.h"

#include <array>
#include <cstddef>

namespace domain {

enum class MerchantSide { None, Adds, Subtracts };

struct Effect
{
    EventType type;
    bool needsFunds; // a debit that must find its amount in the balance
    MerchantSide merchant; // confirmed deposits − refunds − reversals
    NotificationKind notification;
    LogKind log;
};

// A new type is a new line here, in the order of the enum.
inline constexpr std::array kEffects{
    Effect{EventType::Deposit, false, MerchantSide::Adds, NotificationKind::Credited,
        LogKind::Confirmed},
    Effect{EventType::Airdrop, false, MerchantSide::None, NotificationKind::Credited,
        LogKind::Confirmed},
    Effect{EventType::Withdrawal, true, MerchantSide::None, NotificationKind::Debited,
        LogKind::Confirmed},
    Effect{EventType::WithdrawalFee, true, MerchantSide::None, NotificationKind::Debited,
        LogKind::Confirmed},
    Effect{EventType::Refund, true, MerchantSide::Subtracts, NotificationKind::Refunded,
        LogKind::Refunded},
    // The chain took the money back whether or not it is still here: posts in full, into debt.
    Effect{EventType::ReorgReversal, false, MerchantSide::Subtracts, NotificationKind::Reversed,
        LogKind::Reversed},
    Effect{EventType::ReorgCredit, false, MerchantSide::Adds, NotificationKind::Recredited,
        LogKind::Recredited},
};

constexpr const Effect& effectOf(EventType type)
{
    return kEffects[static_cast<std::size_t>(type)];
}

namespace detail {
constexpr bool effectsAreInOrder()
{
    for (std::size_t i = 0; i < kEffects.size(); ++i) {
        if (static_cast<std::size_t>(kEffects[i].type) != i) {
            return false;
        }
    }
    return kEffects.size() == kEventTypes.size();
}
} // namespace detail
static_assert(detail::effectsAreInOrder(), "effectOf() finds a row by the enum's number");

} // namespace domain
