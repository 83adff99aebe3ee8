#include "processor/pg/pool.h"

#include "processor/base/limits.h"
#include "sql/transaction.h"

#include <condition_variable>
#include <mutex>
#include <utility>
#include <vector>

namespace pg {

struct Pool::Shared
{
    const ConnectOptions options;
    const std::size_t size;

    std::mutex mutex;
    std::condition_variable returned;
    std::vector<Connection> free = {};
    std::size_t lent = 0;

    void release(std::optional<Connection> connection)
    {
        {
            const std::scoped_lock lock{mutex};
            --lent;
            if (connection) free.push_back(std::move(*connection));
        }
        returned.notify_one();
    }
};

namespace {

// Leaves the connection open and idle, or closed.
void clean(Connection& connection)
{
    if (!connection.isOpen() || connection.isIdle()) return;
    if (!connection.run(sql::kTransactionRollback) || !connection.isIdle()) connection.close();
}

} // namespace

Pool::Lease::Lease(std::shared_ptr<Shared> shared, Connection connection)
    : m_shared{std::move(shared)}
    , m_connection{std::move(connection)}
{}

Pool::Lease& Pool::Lease::operator=(Lease&& other) noexcept
{
    if (this != &other) {
        giveBack();
        m_shared = std::move(other.m_shared);
        m_connection = std::exchange(other.m_connection, std::nullopt);
    }
    return *this;
}

Connection& Pool::Lease::operator*()
{
    CHECK(m_shared && m_connection); // not after giveBack() or a move
    return *m_connection;
}

void Pool::Lease::giveBack()
{
    if (!m_shared) return;
    const auto shared = std::exchange(m_shared, nullptr);
    clean(*m_connection);
    if (!m_connection->isOpen()) m_connection.reset();
    shared->release(std::exchange(m_connection, std::nullopt));
}

Pool::Pool(ConnectOptions options, std::size_t size)
    : m_shared{std::make_shared<Shared>(std::move(options), size)}
{
    CHECK(size >= base::kPoolMin && size <= base::kPoolMax);
}

base::Result<Pool::Lease> Pool::borrow(std::chrono::milliseconds timeout)
{
    std::optional<Connection> found;
    {
        std::unique_lock lock{m_shared->mutex};
        const bool free = m_shared->returned.wait_for(
            lock, timeout, [this] { return m_shared->lent < m_shared->size; });
        if (!free) {
            return base::Error{
                base::ErrorKind::Unavailable, "all connections of the pool are lent"};
        }
        ++m_shared->lent;
        if (!m_shared->free.empty()) {
            found = std::move(m_shared->free.back());
            m_shared->free.pop_back();
        }
    }
    if (found && found->isAlive()) return Lease{m_shared, std::move(*found)};
    auto fresh = Connection::open(m_shared->options);
    if (!fresh) {
        m_shared->release(std::nullopt);
        return fresh.error();
    }
    return Lease{m_shared, std::move(*fresh)};
}

std::size_t Pool::idle() const
{
    const std::scoped_lock lock{m_shared->mutex};
    return m_shared->free.size();
}

} // namespace pg
