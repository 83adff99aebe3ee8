#include "ui/data/job_queue.h"

#include <algorithm>
#include <utility>

namespace ui {

bool JobQueue::put(Job job)
{
    const std::lock_guard lock{m_mutex};
    if (!job.subject.isEmpty()) {
        const auto earlier = std::find_if(m_jobs.begin(), m_jobs.end(),
            [&job](const Job& one) { return one.subject == job.subject; });
        if (earlier != m_jobs.end()) {
            *earlier = std::move(job);
            return true;
        }
    }
    if (m_jobs.size() >= kWaitingMax) return false;
    m_jobs.push_back(std::move(job));
    return true;
}

std::optional<Job> JobQueue::take()
{
    const std::lock_guard lock{m_mutex};
    if (m_jobs.empty()) return std::nullopt;
    Job job = std::move(m_jobs.front());
    m_jobs.pop_front();
    m_runningTicket = job.ticket;
    return job;
}

void JobQueue::finish()
{
    std::unique_lock lock{m_mutex};
    m_runningTicket = 0;
    // A cancel hits whatever its backend does when it arrives. One that does not come back within
    // two seconds hangs on a dead connection, and the next statement would be its only victim.
    m_isQuiet.wait_for(lock, std::chrono::seconds{2}, [this] { return !m_isCancelling; });
}

void JobQueue::drop(quint64 ticket)
{
    const std::lock_guard lock{m_mutex};
    std::erase_if(m_jobs, [ticket](const Job& one) { return one.ticket == ticket; });
}

bool JobQueue::isRunning(quint64 ticket) const
{
    const std::lock_guard lock{m_mutex};
    return m_runningTicket == ticket;
}

void JobQueue::setBackend(qint64 backend)
{
    const std::lock_guard lock{m_mutex};
    m_backend = backend;
}

std::optional<qint64> JobQueue::beginCancel(quint64 ticket)
{
    const std::lock_guard lock{m_mutex};
    if (m_runningTicket != ticket || m_backend == 0) return std::nullopt;
    m_isCancelling = true;
    return m_backend;
}

void JobQueue::cancelled()
{
    const std::lock_guard lock{m_mutex};
    m_isCancelling = false;
    m_isQuiet.notify_all();
}

} // namespace ui
