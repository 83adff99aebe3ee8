// Pool: a small, fixed number of connections that several threads borrow one at a time.
#pragma once

#include "processor/pg/connection.h"

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>

namespace pg {

/// Connections are made when first needed, so none is shared with a parent process. Thread-safe;
/// a borrowed connection belongs to one thread.
class Pool
{
    struct Shared;

public:
    /// A borrowed connection; goes back when the scope ends, also after the pool itself is gone.
    class Lease
    {
    public:
        Lease(Lease&&) noexcept = default;
        Lease& operator=(Lease&& other) noexcept;
        ~Lease() { giveBack(); }

        [[nodiscard]] Connection& operator*();
        [[nodiscard]] Connection* operator->() { return &**this; }
        /// Returning twice is harmless.
        void giveBack();

    private:
        friend class Pool;
        Lease(std::shared_ptr<Shared> shared, Connection connection);
        std::shared_ptr<Shared> m_shared;
        std::optional<Connection> m_connection;
    };

    /// `size` is between base::kPoolMin and base::kPoolMax.
    Pool(ConnectOptions options, std::size_t size);

    /// An open, idle connection. Normally without any I/O: what it needs to know, it sees in the
    /// connection's own state. One that is in a transaction is rolled back, one the server left is
    /// replaced. Unavailable when none is free within `timeout` or none can be made.
    base::Result<Lease> borrow(std::chrono::milliseconds timeout);

    /// Connections that are open and not lent.
    [[nodiscard]] std::size_t idle() const;

private:
    std::shared_ptr<Shared> m_shared;
};

} // namespace pg
