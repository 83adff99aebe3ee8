#include "ui/data/canceller.h"

#include "sql/console/session.h"

#include <QUuid>

#include <utility>

namespace ui {

Canceller::Canceller(
    std::shared_ptr<JobQueue> queue, DatabaseAddress address, base::Secret password)
    : m_queue{std::move(queue)}
    , m_address{std::move(address)}
    , m_password{std::move(password)}
{}

void Canceller::cancel(quint64 ticket)
{
    if (!m_queue->isRunning(ticket)) return; // it never began, or has ended
    if (!m_session) {
        m_session = std::make_unique<Session>(QUuid::createUuid().toString(), m_address);
    }
    if (!m_session->isOpen() && !m_session->open(m_password)) return;
    const auto backend = m_queue->beginCancel(ticket);
    if (!backend) return;
    const auto done = m_session->run(sql::kConsoleCancel, {*backend});
    m_queue->cancelled();
    // Next time on a new connection; this time the statement's own limit ends it.
    if (!done) m_session->close();
}

void Canceller::close()
{
    m_session.reset();
}

} // namespace ui
