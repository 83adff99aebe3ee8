#include "processor/store/own_connection.h"

#include <utility>

namespace store {

OwnConnection::OwnConnection(pg::ConnectOptions options) : m_options{std::move(options)} {}

base::Result<pg::Connection*> OwnConnection::get()
{
    if (!m_connection) {
        auto opened = pg::Connection::open(m_options);
        if (!opened) {
            return opened.error();
        }
        m_connection.emplace(std::move(*opened));
    } else if (!m_connection->isOpen()) {
        if (auto opened = m_connection->reopen(); !opened) {
            return opened.error();
        }
    }
    return &*m_connection;
}

} // namespace store
