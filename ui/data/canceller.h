// Canceller: a second connection of the same login that stops what the first one runs.
#pragma once

#include "ui/data/job_queue.h"

#include <QObject>

#include <memory>

namespace ui {

/** Lives on a thread of its own, because the database thread waits for what shall be stopped. */
class Canceller : public QObject
{
    Q_OBJECT

public:
    Canceller(std::shared_ptr<JobQueue> queue, DatabaseAddress address, base::Secret password);

    /** Stops `ticket` if it is still running. Connects with the first call. */
    void cancel(quint64 ticket);
    void close();

private:
    const std::shared_ptr<JobQueue> m_queue;
    const DatabaseAddress m_address;
    const base::Secret m_password;
    std::unique_ptr<Session> m_session;
};

} // namespace ui
