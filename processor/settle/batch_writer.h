// BatchWriter: turns a decision into rows, then into lines of the log and a COMMIT.
#pragma once

#include "processor/settle/counted_writes.h"
#include "processor/settle/letter.h"
#include "processor/settle/reading.h"
#include "processor/store/payment_log.h"

#include <vector>

namespace settle {

/// Set-based: the number of statements does not depend on the number of events.
class BatchWriter
{
public:
    explicit BatchWriter(store::PaymentLog& log) : m_log{log} {}

    /// The second round trip: everything but the log. `letters` holds one for each outcome that
    /// says so, and may hold one for an event that had ended before.
    base::Status write(pg::Transaction& transaction, const Reading& reading,
        const domain::Decision& decision, const std::vector<Letter>& letters) const;

    /// The third: tail, log, COMMIT.
    base::Status commit(pg::Transaction& transaction, const Reading& reading,
        const domain::Decision& decision) const;

private:
    store::PaymentLog& m_log;
};

} // namespace settle
