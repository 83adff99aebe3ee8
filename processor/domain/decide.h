// The settlement decision: what a batch of events does to accounts. Pure, total, deterministic.
#pragma once

#include "processor/domain/amount.h"
#include "processor/domain/event.h"
#include "processor/domain/failure.h"
#include "processor/domain/ids.h"
#include "processor/domain/log_kind.h"
#include "processor/domain/notification_kind.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace domain {

/** A locked row of `balances`. */
struct Account
{
    AccountId id;
    Amount balance = {}; // >= 0
    Amount debt = {}; // >= 0; balance and debt are never both non-zero
    std::int64_t version = 0;

    bool operator==(const Account&) const = default;
};

enum class OriginalState {
    Unsettled, // known, but not ended yet
    Confirmed,
    Gone, // failed, or reversed by a reorganisation: there is nothing to give back
};

/** The `deposit` with an event id that some refund or reorg event of the batch names. */
struct Original
{
    std::string eventId;
    UserId user;
    std::string asset;
    Amount amount;
    std::optional<std::string> merchant = {};
    OriginalState state = OriginalState::Unsettled;
    Amount refunded = {}; // sum of its confirmed refunds so far
};

/** A locked row of `onchain_claims`: one transfer on a chain, and who holds it. */
struct Claim
{
    std::optional<EventNo> holder = {};
};

/** An event of the batch with what was read about it alone. */
struct Candidate
{
    Event event;
    // outcome is already there (read under the lane's lock): the guard that makes replays harmless.
    bool ended = false;
    bool userVanished = false;
    // A refund whose original is not known waits for it until it is older than 15 minutes.
    bool originalOverdue = false;
    // Transfers it may claim, as indexes into Batch::claims, the preferred one first. Empty: none
    // is needed.
    std::vector<std::size_t> claims = {};
};

/** Later events of this account wait until the event `behind` has had its retry. */
struct Hold
{
    AccountId account;
    EventNo behind;
};

enum class UnknownTypes {
    LeaveAlone, // a live instance of a newer version may know them
    Fail,
};

/** All that a decision reads; everything in it was read after its lock was held. */
struct Batch
{
    std::vector<Candidate> candidates; // ascending event_no
    // The locked accounts, each once. An account that is not here is held by somebody else.
    std::vector<Account> accounts;
    std::vector<Hold> holds = {};
    std::vector<Original> originals = {}; // each event id once
    std::vector<Claim> claims = {};
    UnknownTypes unknownTypes = UnknownTypes::Fail;
};

/** A row for the journal. */
struct Posting
{
    EventNo no;
    AccountId account;
    Amount amount; // signed
    Amount balanceAfter; // balance − debt
    std::int64_t version; // of the account after this posting
    std::string sourceEventId;
    EventType type;

    bool operator==(const Posting&) const = default;
};

enum class Ending {
    Confirmed,
    Failed, // final; see Outcome::failure
    Deferred, // its account is held by somebody else or an earlier event waits: not an attempt
    WaitsForOriginal, // goes to event_waits ('original'); holds nobody back
    AlreadyEnded, // nothing to do but to clean up its work row
    LeftAlone, // of a type this binary does not know; holds back like Deferred
};

/** What becomes of one event. */
struct Outcome
{
    EventNo no;
    Ending ending;
    std::optional<Failure> failure = {}; // set if and only if Failed
    bool letter = false; // failed + letter in one transaction
    std::optional<EventNo> winner = {}; // of duplicate_payment: who holds the claim
    std::optional<std::size_t> claim = {}; // index into Batch::claims that it now holds

    bool operator==(const Outcome&) const = default;
};

struct MerchantMovement
{
    std::string merchant;
    std::string asset;
    Amount amount; // signed sum over the batch, possibly zero

    bool operator==(const MerchantMovement&) const = default;
};

struct Notification
{
    EventNo no;
    NotificationKind kind;

    bool operator==(const Notification&) const = default;
};

struct LogEntry
{
    EventNo no;
    LogKind kind;

    bool operator==(const LogEntry&) const = default;
};

/** All that is to be written, in the order in which it is to be written. */
struct Decision
{
    std::vector<Outcome> outcomes; // one per candidate, same order
    std::vector<Posting> postings; // by event_no
    std::vector<Account> accounts; // the changed ones in their new state, by (user, asset)
    std::vector<MerchantMovement> merchants; // by (merchant, asset)
    std::vector<Notification> notifications; // by event_no, one per event that ended now
    std::vector<LogEntry> log; // by event_no; a letter's entry follows its `payment.failed`

    bool operator==(const Decision&) const = default;
};

/**
 * Decides a batch event by event in the given order, each on the balances the one before left.
 *
 * - Credits add and debits subtract; debits (also refunds) need the balance, reversals do not: they
 *   post in full and what is missing becomes debt, which later credits pay first.
 * - An event that has ended does nothing. A deferred or left event defers the later ones of its
 *   account. A failed one and one that waits for its original hold nobody back.
 * - Cutting a batch in two and deciding the halves one after the other gives the same.
 *
 * Broken input (order, an account or original twice, a negative balance, an amount of 0) is a bug
 * of the caller and ends the process.
 */
Decision decide(const Batch& batch);

/** The accounts the batch would touch, sorted and unique: the order in which to lock them. */
std::vector<AccountId> accountsOf(const std::vector<Candidate>& candidates);

} // namespace domain
