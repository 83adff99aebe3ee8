// DatabaseWorker: lives on the database thread, owns its connection, and runs one job at a time.
#pragma once

#include "ui/data/job_queue.h"
#include "ui/data/link.h"

#include <QObject>
#include <QSet>
#include <QTimer>

#include <memory>
#include <optional>

namespace ui {

class DatabaseWorker : public QObject
{
    Q_OBJECT

public:
    DatabaseWorker(std::shared_ptr<JobQueue> queue, DatabaseAddress address, base::Secret password);

    void start(); // on the thread
    void runNext();
    void listen(const QString& channel);
    void close();

    static constexpr std::chrono::milliseconds kFirstPause{250};
    static constexpr std::chrono::milliseconds kLongestPause{8000};
    static constexpr std::chrono::milliseconds kPingEvery{5000};
    static constexpr std::chrono::milliseconds kHintsEvery{250};

signals:
    void finished(quint64 ticket, const std::shared_ptr<base::Result<std::any>>& result,
        const std::optional<ui::Moment>& asOf);
    void linkChanged(const ui::Link& link);
    void hinted(const QStringList& channels);

private:
    bool connectNow();
    void lost(const base::Error& error);
    void say(Link::State state, const QString& reason);
    void ping();
    base::Result<std::any> runJob(const Job& job, std::optional<Moment>& asOf);
    base::Result<Moment> beginJob(const Job& job);
    void subscribe(const QString& channel);
    void tellHints();

    const std::shared_ptr<JobQueue> m_queue;
    const DatabaseAddress m_address;
    const base::Secret m_password;
    std::unique_ptr<Session> m_session;
    Link m_link;
    std::chrono::milliseconds m_pause = kFirstPause;
    QSet<QString> m_channels;
    QSet<QString> m_hints;
    QTimer m_reconnect{this};
    QTimer m_ping{this};
    QTimer m_hintTimer{this};
};

} // namespace ui
