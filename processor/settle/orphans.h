// Orphans: work rows whose event is gone. They are told about and, once an outcome proves that the
// event was settled, removed.
#pragma once

#include "processor/base/alert.h"
#include "processor/pg/transaction.h"
#include "processor/settle/reading.h"

namespace settle {

/// Alert keys by kind: orphan_deposit:<id>, orphan_withdrawal:<id>, orphan_withdrawal_insuf:<id>.
/// An orphan without an outcome stays, with an alert: nothing is known about it.
base::Status judgeOrphan(pg::Connection& connection, const Work& orphan, base::Alerter& alerter);

} // namespace settle
