// Kinds of payment_log rows, which are the `event` of stream entries.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace domain {

enum class LogKind {
    Enqueued,
    Confirmed,
    Failed,
    Refunded, // instead of confirmed
    Reversed, // instead of confirmed
    Recredited, // instead of confirmed
    DeadLettered, // beside failed
    Replayed,
};

inline constexpr std::array kLogKinds{
    std::pair{LogKind::Enqueued, std::string_view{"payment.enqueued"}},
    std::pair{LogKind::Confirmed, std::string_view{"payment.confirmed"}},
    std::pair{LogKind::Failed, std::string_view{"payment.failed"}},
    std::pair{LogKind::Refunded, std::string_view{"payment.refunded"}},
    std::pair{LogKind::Reversed, std::string_view{"payment.reversed"}},
    std::pair{LogKind::Recredited, std::string_view{"payment.recredited"}},
    std::pair{LogKind::DeadLettered, std::string_view{"payment.dead_lettered"}},
    std::pair{LogKind::Replayed, std::string_view{"payment.replayed"}},
};

constexpr std::string_view toText(LogKind kind)
{
    return kLogKinds[static_cast<std::size_t>(kind)].second;
}

/** Exact match only. */
constexpr std::optional<LogKind> logKindFromText(std::string_view text)
{
    for (const auto& [kind, name] : kLogKinds) {
        if (name == text) {
            return kind;
        }
    }
    return std::nullopt;
}

} // namespace domain
