// What a customer's system is told about an event that ended.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace domain {

enum class NotificationKind {
    Credited,
    Debited,
    InsufficientFunds,
    Refunded,
    Reversed,
    Recredited,
    Failed,
};

inline constexpr std::array kNotificationKinds{
    std::pair{NotificationKind::Credited, std::string_view{"credited"}},
    std::pair{NotificationKind::Debited, std::string_view{"debited"}},
    std::pair{NotificationKind::InsufficientFunds, std::string_view{"insufficient_funds"}},
    std::pair{NotificationKind::Refunded, std::string_view{"refunded"}},
    std::pair{NotificationKind::Reversed, std::string_view{"reversed"}},
    std::pair{NotificationKind::Recredited, std::string_view{"recredited"}},
    std::pair{NotificationKind::Failed, std::string_view{"failed"}},
};

constexpr std::string_view toText(NotificationKind kind)
{
    return kNotificationKinds[static_cast<std::size_t>(kind)].second;
}

/** Exact match only. */
constexpr std::optional<NotificationKind> notificationKindFromText(std::string_view text)
{
    for (const auto& [kind, name] : kNotificationKinds) {
        if (name == text) {
            return kind;
        }
    }
    return std::nullopt;
}

} // namespace domain
