// What a batch refers to beyond its own rows: originals of refunds, transfers on a chain, newer
// instances for unknown types, outcome rows of events that have already ended.
#pragma once

#include "processor/pg/transaction.h"
#include "processor/settle/reading.h"

#include <string>
#include <vector>

namespace settle {

/// One more round trip, but only when the batch has such an event: at middling load the number of
/// statements decides the latency, and most batches have none. Claims are locked here, after the
/// accounts; since neither waits for anybody (SKIP LOCKED), the order of the two cannot deadlock.
/// Contradictions are taken out of a batch but stay where only one event was asked for.
base::Status readReferences(pg::Transaction& transaction, const std::string& version,
    const std::vector<domain::EventNo>& withTx, bool isLone, Reading& reading);

} // namespace settle
