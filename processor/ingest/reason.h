// Reason: why a delivery was not taken; public codes and their HTTP status in the native format.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace ingest {

enum class Reason {
    UnknownSource,
    RateLimited,
    InvalidSignature,
    InvalidJson,
    MissingField,
    AmountNotString,
    InvalidAmount,
    UnknownEventType,
    InvalidId,
    UnknownUser,
    UnknownAsset,
    ForeignAddress, // the receiving address belongs to another user
    DataError, // PostgreSQL refused its data although we had found nothing
    Conflict,
    Unavailable,
};

struct ReasonRow
{
    Reason reason;
    std::string_view code; // in answers, in `quarantine` and in metrics
    int status; // 200: the sender did nothing wrong that a retry would heal
};

// In the order of the enum.
inline constexpr std::array kReasons{
    ReasonRow{Reason::UnknownSource, "unknown_source", 404},
    ReasonRow{Reason::RateLimited, "rate_limited", 429},
    ReasonRow{Reason::InvalidSignature, "invalid_signature", 401},
    ReasonRow{Reason::InvalidJson, "invalid_json", 400},
    ReasonRow{Reason::MissingField, "missing_field", 400},
    ReasonRow{Reason::AmountNotString, "amount_not_string", 400},
    ReasonRow{Reason::InvalidAmount, "invalid_amount", 400},
    ReasonRow{Reason::UnknownEventType, "unknown_event_type", 400},
    ReasonRow{Reason::InvalidId, "invalid_id", 400},
    ReasonRow{Reason::UnknownUser, "unknown_user", 400},
    ReasonRow{Reason::UnknownAsset, "unknown_asset", 400},
    ReasonRow{Reason::ForeignAddress, "foreign_address", 200},
    ReasonRow{Reason::DataError, "data_error", 200},
    ReasonRow{Reason::Conflict, "conflict", 409},
    ReasonRow{Reason::Unavailable, "unavailable", 503},
};

constexpr const ReasonRow& rowOf(Reason reason)
{
    return kReasons[static_cast<std::size_t>(reason)];
}

/// A refusal with its sentence for the sender.
struct Refused
{
    Reason reason;
    std::string detail;
};

namespace detail {
constexpr bool reasonsAreInOrder()
{
    for (std::size_t i = 0; i < kReasons.size(); ++i) {
        if (static_cast<std::size_t>(kReasons[i].reason) != i) return false;
    }
    return true;
}
} // namespace detail
static_assert(detail::reasonsAreInOrder(), "rowOf() finds a row by the enum's number");

} // namespace ingest
