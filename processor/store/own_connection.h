// OwnConnection: the connection of one thread, opened when needed and again after it was lost.
#pragma once

#include "processor/pg/connection.h"

#include <optional>

namespace store {

class OwnConnection
{
public:
    explicit OwnConnection(pg::ConnectOptions options);

    /// An open connection; Unavailable while the server is away. The pointer is good until the next
    /// call and never null.
    base::Result<pg::Connection*> get();

private:
    pg::ConnectOptions m_options;
    std::optional<pg::Connection> m_connection;
};

} // namespace store
