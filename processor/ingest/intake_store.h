// What intake asks of PostgreSQL: named statements filled from a batch, and their answers read.
#pragma once

#include "processor/base/result.h"
#include "processor/ingest/batch.h"
#include "processor/ingest/refused_samples.h"
#include "processor/pg/transaction.h"
#include "processor/store/payment_log.h"

#include <span>
#include <unordered_map>
#include <vector>

namespace ingest {

/// Inserts the leaders' keys and returns the numbers of those that were new. One round trip, the
/// transaction's first; without leaders none.
base::Result<KeyNumbers> insertKeys(
    pg::Transaction& transaction, std::span<const Item* const> leaders);

/// Reads what stands under the keys of the items that are neither refused nor new, by their index.
/// One round trip, none when there is no such item. Conflict if a key cannot be seen (which
/// READ COMMITTED rules out).
base::Result<std::unordered_map<std::size_t, KnownEvent>> readKnown(
    pg::Transaction& transaction, std::span<const Item> items, const KeyNumbers& inserted);

/// Queues all rows of a decided batch in lock order: quarantine, events and their work rows,
/// deliveries.
void addWrites(
    pg::Transaction& transaction, std::span<const Item> items, std::span<const RefusedRow> samples);

/// The log's lines: payment.enqueued for each accepted event that does not have to wait.
[[nodiscard]] std::vector<store::LogEntry> logEntries(std::span<const Item> items);

} // namespace ingest
