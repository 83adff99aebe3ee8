// BatchReader: locks lanes, work and accounts in order and reads them, in one round trip.
#pragma once

#include "processor/pg/transaction.h"
#include "processor/settle/reading.h"

#include <cstdint>
#include <string>

namespace settle {

/// One per settler. The reading is empty when the lanes that were free have no work.
class BatchReader
{
public:
    /// `version` is that of this program, for events of a type that only a newer one knows.
    explicit BatchReader(const std::string& version);

    /// First of its transaction. What refers beyond the batch costs a second round trip.
    base::Result<Reading> read(pg::Transaction& transaction, const Selection& selection);

private:
    base::Result<Reading> readOnce(pg::Transaction& transaction, const Selection& selection) const;

    std::string m_version;
    // No event below it was seen lately. Prunes old partitions; a row without its event resets it.
    std::int64_t m_lowest = 0;
};

} // namespace settle
