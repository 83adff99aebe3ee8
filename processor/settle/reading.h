// What one batch has locked and read: all that the decision and the writes need.
#pragma once

#include "processor/base/limits.h"
#include "processor/domain/decide.h"
#include "processor/domain/lane.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace settle {

/// A row of event_queue.
struct Work
{
    domain::EventNo no;
    domain::UserId user;
    int attempts = 0; // failed attempts so far
    int tries = 0; // tries begun in careful mode that have not ended
};

/// The key of a row of onchain_claims; `ordinal` as PostgreSQL writes it, `{3}`.
struct ClaimKey
{
    std::string chain;
    std::string txHash;
    std::string ordinal;
    std::string side;

    auto operator<=>(const ClaimKey&) const = default;
};

struct Reading
{
    domain::Batch batch;
    std::vector<Work> work; // one for each candidate, same order
    std::vector<Work> orphans; // work rows without an event
    std::vector<Work> contradictions; // ended events whose outcome row says something else
    std::vector<domain::EventNo> overdueUnknown; // of a type that nobody turned out to know
    std::vector<ClaimKey> claims; // one for each of batch.claims, same order
    std::map<std::string, domain::EventNo> originals; // deposits referred to, by event id
    bool hasOutcomeRow = false; // processed_events has its row already: it is not written again

    [[nodiscard]] bool isEmpty() const
    {
        return work.empty() && orphans.empty() && contradictions.empty();
    }
};

/// Which work a batch takes.
struct Selection
{
    int laneStart = 0;
    int lanes = domain::kLaneCount; // at most so many
    int most = static_cast<int>(base::kSettleBatchMax); // events
    std::optional<domain::EventNo> only = {};
    std::vector<domain::AccountId> aside = {}; // accounts that are left out for now
};

} // namespace settle
