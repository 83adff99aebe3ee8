#include "ui/data/database.h"

#include "ui/data/canceller.h"
#include "ui/data/database_worker.h"

#include <QTimer>

#include <utility>

namespace ui {
namespace {

/// A thread that hangs on a server that does not answer must not keep the window open.
constexpr unsigned long kEndPatienceMs = 3000;

void endThread(QThread* thread)
{
    thread->quit();
    if (thread->wait(kEndPatienceMs)) {
        delete thread;
    }
    // Else it stays behind with what it owns; the process is about to end.
}

} // namespace

Database::Database(DatabaseAddress address, base::Secret password, QObject* parent)
    : QObject{parent}
    , m_queue{std::make_shared<JobQueue>()}
    , m_thread{new QThread}
    , m_cancelThread{new QThread}
    , m_worker{new DatabaseWorker{m_queue, address, password}}
    , m_canceller{new Canceller{m_queue, address, password}}
{
    m_thread->setObjectName(QStringLiteral("database"));
    m_cancelThread->setObjectName(QStringLiteral("cancel"));
    m_worker->moveToThread(m_thread);
    m_canceller->moveToThread(m_cancelThread);
    connect(m_thread, &QThread::started, m_worker, &DatabaseWorker::start);
    connect(m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    connect(m_cancelThread, &QThread::finished, m_canceller, &QObject::deleteLater);
    connect(m_worker, &DatabaseWorker::finished, this,
        [this](quint64 ticket, const std::shared_ptr<base::Result<std::any>>& result,
            const std::optional<Moment>& asOf) { arrived(ticket, *result, asOf); });
    connect(m_worker, &DatabaseWorker::linkChanged, this, [this](const Link& link) {
        m_link = link;
        emit linkChanged(m_link);
    });
    connect(m_worker, &DatabaseWorker::hinted, this, &Database::hinted);
    m_thread->start();
    m_cancelThread->start();
}

Database::~Database()
{
    for (auto waiting = m_waiting.cbegin(); waiting != m_waiting.cend(); ++waiting) {
        stop(waiting.key());
    }
    m_worker->disconnect(this);
    QMetaObject::invokeMethod(m_worker, [worker = m_worker] { worker->close(); });
    endThread(m_thread);
    QMetaObject::invokeMethod(m_canceller, [canceller = m_canceller] { canceller->close(); });
    endThread(m_cancelThread);
}

quint64 Database::post(QObject* context, const QString& subject, Session::Mode mode,
    std::chrono::milliseconds limit, AnyWork work, AnyDone done)
{
    const quint64 ticket = ++m_lastTicket;
    const auto now = std::chrono::steady_clock::now();
    const bool isCommand = subject.isEmpty();
    if (!isCommand) {
        if (const quint64 earlier = m_latest.value(subject); earlier != 0) {
            m_waiting.remove(earlier);
            stop(earlier);
        }
        m_latest.insert(subject, ticket);
    }
    m_waiting.insert(ticket, {context, subject, std::move(done), now, isCommand});
    const bool isQueued = m_queue->put({ticket, subject, mode, now + limit, std::move(work)});
    if (isQueued) {
        QMetaObject::invokeMethod(m_worker, [worker = m_worker] { worker->runNext(); });
        QTimer::singleShot(limit + kGrace, this, [this, ticket] { timedOut(ticket); });
    } else {
        QTimer::singleShot(0, this, [this, ticket] {
            arrived(ticket,
                base::Error{base::ErrorKind::Unavailable, "too many questions wait already"}, {});
        });
    }
    return ticket;
}

void Database::arrived(
    quint64 ticket, const base::Result<std::any>& result, const std::optional<Moment>& asOf)
{
    const auto found = m_waiting.find(ticket);
    if (found == m_waiting.end()) return; // superseded, cancelled, or given up
    const Waiting waiting = *found;
    m_waiting.erase(found);
    if (m_latest.value(waiting.subject) == ticket) m_latest.remove(waiting.subject);
    if (!waiting.context) return;
    using std::chrono::duration_cast;
    using std::chrono::milliseconds;
    const auto took = duration_cast<milliseconds>(std::chrono::steady_clock::now() - waiting.asked);
    waiting.done({ticket, result, asOf, took.count()});
}

void Database::timedOut(quint64 ticket)
{
    const auto found = m_waiting.constFind(ticket);
    if (found == m_waiting.cend()) return;
    // Nothing was heard, not even that it was stopped: the server or the way to it hangs.
    const auto kind = found->isCommand ? base::ErrorKind::Unknown : base::ErrorKind::Unavailable;
    stop(ticket);
    arrived(ticket, base::Error{kind, "PostgreSQL does not answer"}, {});
}

void Database::cancel(quint64 ticket)
{
    const auto found = m_waiting.find(ticket);
    if (found == m_waiting.end()) return;
    if (m_latest.value(found->subject) == ticket) m_latest.remove(found->subject);
    m_waiting.erase(found);
    stop(ticket);
}

void Database::stop(quint64 ticket)
{
    m_queue->drop(ticket);
    QMetaObject::invokeMethod(
        m_canceller, [canceller = m_canceller, ticket] { canceller->cancel(ticket); });
}

void Database::listen(const QString& channel)
{
    QMetaObject::invokeMethod(m_worker, [worker = m_worker, channel] { worker->listen(channel); });
}

} // namespace ui
