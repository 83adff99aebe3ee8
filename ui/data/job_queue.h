// JobQueue: what the database thread has to do; one wish per subject, the last one wins.
#pragma once

#include "processor/base/result.h"
#include "ui/data/session.h"

#include <any>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>

namespace ui {

struct Job
{
    quint64 ticket = 0;
    QString subject = {}; // empty: a command, which is never superseded
    Session::Mode mode = Session::Mode::Reading;
    std::chrono::steady_clock::time_point deadline = {};
    std::function<base::Result<std::any>(Session&)> work = {};
};

/** Shared by the GUI thread, the database thread and the one that cancels; all calls are short. */
class JobQueue
{
public:
    /** Puts a job last, or in the place of its subject's earlier wish. False: too many wait. */
    bool put(Job job);
    /** The next job, which is running from now on; empty when there is none. */
    std::optional<Job> take();
    /** Ends the running job once no cancel is under way that could hit its successor. */
    void finish();
    /** Drops a job that has not begun. */
    void drop(quint64 ticket);

    bool isRunning(quint64 ticket) const;

    void setBackend(qint64 backend);
    /** The backend that runs `ticket` now, held until cancelled(); empty when it has ended. */
    std::optional<qint64> beginCancel(quint64 ticket);
    void cancelled();

    static constexpr std::size_t kWaitingMax = 256;

private:
    mutable std::mutex m_mutex;
    std::condition_variable m_isQuiet;
    std::deque<Job> m_jobs;
    quint64 m_runningTicket = 0;
    qint64 m_backend = 0;
    bool m_isCancelling = false;
};

} // namespace ui
