// Report: what one call of Settler::runOnce() did.
#pragma once

#include "processor/base/result.h"

#include <optional>

namespace settle {

struct Report
{
    int confirmed = 0;
    int refused = 0; // insufficient funds
    int failed = 0; // any other failure
    int endedBefore = 0; // only their work rows were left
    int waiting = 0; // for their original
    int deferred = 0; // account held, earlier event waiting, or type unknown here
    int putOff = 0; // failed alone: wait for the next attempt
    int broughtInLine = 0;
    int roundTrips = 0; // of the batch
    bool progressed = false; // there may be more to do at once
    bool isAway = false; // the server: back off
    std::optional<base::Error> error = {}; // of the batch; it was rolled back

    [[nodiscard]] int ended() const { return confirmed + refused + failed + endedBefore; }
};

} // namespace settle
