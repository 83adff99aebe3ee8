// The deposits that refunds of a batch give back: who may refund how much of which.
#pragma once

#include "processor/domain/decide.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace domain {

/** Neither waits nor failure: the refund may be paid. */
struct RefundVerdict
{
    bool waits = false;
    std::optional<Failure> failure = {};
};

/** Originals as read, kept in step with what the batch itself does to them. */
class Originals
{
public:
    explicit Originals(const std::vector<Original>& originals);

    /** Judges a refund: original of the same user, asset and merchant, and not more than it. */
    RefundVerdict judge(const Event& refund, bool overdue) const;

    /** A deposit becomes refundable, a refund counts, a reversal takes its deposit away. */
    void noteConfirmed(const Event& event);

    /** A deposit that failed gives nothing back. */
    void noteFailed(const Event& event);

private:
    void setState(const std::string& eventId, OriginalState state);

    std::map<std::string, Original> m_byEventId;
};

} // namespace domain
