// BatchReader: locks lanes, work and accounts in order and reads them, in one round trip.
#pragma once

#include "processor/pg/transaction.h"
#include "processor/settle/reading.h"

#include <cstdint>
#include <limits>
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
    static constexpr std::int64_t kNoBound = std::numeric_limits<std::int64_t>::max();

    void remember(const Reading& reading);
    base::Result<Reading> readOnce(pg::Transaction& transaction, const Selection& selection) const;

    std::string m_version;
    // Where events were seen lately. Prunes partitions; a row without its event resets both.
    std::int64_t m_lowest = 0;
    std::int64_t m_highest = kNoBound;
};

} // namespace settle
