// The accounts of one batch while it is decided: balances as left by the events so far.
#pragma once

#include "processor/domain/decide.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace domain {

/** Moves money between CHECKed states and records every row that tells of it. */
class Ledger
{
public:
    explicit Ledger(const Batch& batch);

    /** Whether an earlier event of the account has to come first. */
    bool isHeldBack(const Event& event) const;

    /** Whether the batch holds the account's lock. */
    bool isLocked(const AccountId& account) const;

    /** From here on, every later event of the account is held back. */
    void holdBack(const AccountId& account);

    /** Moves the account and writes the journal row – or says why not, and changes nothing. */
    std::optional<Failure> post(const Event& event, EventType type);

    /** Records merchant movement, notification and log entry of an event that post() moved. */
    void tellConfirmed(const Event& event);

    /** Records notification and log entries of an event that failed. */
    void tellFailed(const Event& event, Failure failure);

    Decision finish(std::vector<Outcome> outcomes) &&;

private:
    struct Entry
    {
        Account account;
        bool changed = false;
    };

    std::map<AccountId, Entry> m_accounts;
    std::map<AccountId, EventNo> m_holds; // the earliest event that others wait for
    std::set<AccountId> m_heldBack;
    std::map<std::pair<std::string, std::string>, Amount> m_merchants;
    Decision m_decision;
};

} // namespace domain
