// Why an event failed: the names that tables, letters and people share, and who gets a letter.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace domain {

enum class Failure {
    InsufficientFunds,
    DuplicatePayment, // another event holds the claim to this transfer
    Orphaned, // its transaction vanished in a reorganisation
    NotOnChain, // the receipt does not say what the event says
    Exhausted, // six attempts
    Poison, // ended its worker more than once
    DataError, // stood alone in its batch and PostgreSQL refused its data
    UnknownEventType,
    BalanceOverflow, // a balance or debt would reach 10^20
    OriginalMissing, // a refund without a confirmed deposit of the same user, asset and merchant
    RefundExceedsOriginal,
    UserVanished, // between intake and settlement
    StateContradiction, // outcome and state exclude each other
};

struct FailureRow
{
    Failure failure;
    std::string_view text;
    bool hasLetter; // failed + letter in one transaction
};

// Two failures are answers, not incidents: nothing is to be repaired, so they have no dead letter.
inline constexpr std::array kFailures{
    FailureRow{Failure::InsufficientFunds, "insufficient_funds", false},
    FailureRow{Failure::DuplicatePayment, "duplicate_payment", false},
    FailureRow{Failure::Orphaned, "orphaned", true},
    FailureRow{Failure::NotOnChain, "not_on_chain", true},
    FailureRow{Failure::Exhausted, "exhausted", true},
    FailureRow{Failure::Poison, "poison", true},
    FailureRow{Failure::DataError, "data_error", true},
    FailureRow{Failure::UnknownEventType, "unknown_event_type", true},
    FailureRow{Failure::BalanceOverflow, "balance_overflow", true},
    FailureRow{Failure::OriginalMissing, "original_missing", true},
    FailureRow{Failure::RefundExceedsOriginal, "refund_exceeds_original", true},
    FailureRow{Failure::UserVanished, "user_vanished", true},
    FailureRow{Failure::StateContradiction, "state_contradiction", true},
};

constexpr std::string_view toText(Failure failure)
{
    return kFailures[static_cast<std::size_t>(failure)].text;
}

/** Exact match only. */
constexpr std::optional<Failure> failureFromText(std::string_view text)
{
    for (const FailureRow& row : kFailures) {
        if (row.text == text) {
            return row.failure;
        }
    }
    return std::nullopt;
}

/** Whether an event that fails so gets a dead letter in the same transaction. */
constexpr bool hasDeadLetter(Failure failure)
{
    return kFailures[static_cast<std::size_t>(failure)].hasLetter;
}

} // namespace domain
