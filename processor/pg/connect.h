// Opens a libpq connection within a deadline, trying the hosts of the URL in their order.
#pragma once

#include "processor/base/result.h"
#include "processor/pg/connection.h"

#include <memory>

namespace pg {

struct FinishConnection
{
    void operator()(pg_conn* raw) const noexcept;
};
using Handle = std::unique_ptr<pg_conn, FinishConnection>;

/// A non-blocking connection. Each host gets `connectTimeout` (or the URL's connect_timeout), so a
/// host that swallows packets does not keep us from the next one.
base::Result<Handle> connect(const ConnectOptions& options);

} // namespace pg
