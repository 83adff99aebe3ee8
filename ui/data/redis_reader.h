// RedisReader: one thread that owns the console's connection to Redis, and reads only.
#pragma once

#include "ui/data/link.h"
#include "ui/data/stream_look.h"

#include <QObject>
#include <QPointer>
#include <QThread>

#include <functional>

namespace ui {

class RedisReader : public QObject
{
    Q_OBJECT

public:
    using Done = std::function<void(const base::Result<StreamLook>&)>;

    /** Without a URL every question is answered with Unavailable, "no Redis is configured". */
    RedisReader(const QString& url, QObject* parent = nullptr);
    ~RedisReader() override;

    /**
     * How the stream stands, and where `numbers` (at most kNumbersMax are looked at) stand in it.
     * One wish per subject, as with Database: an earlier one is not answered. Within about the
     * client's time-outs; a silent Redis is Unavailable.
     */
    quint64 look(QObject* context, const QString& subject, const QList<qint64>& numbers, Done done);

    /** As the last answer said; `since` is then its time. */
    const Link& link() const { return m_link; }

    static constexpr qsizetype kNumbersMax = 100;

signals:
    void linkChanged(const ui::Link& link);

private:
    struct Waiting
    {
        QPointer<QObject> context;
        Done done;
        quint64 ticket;
    };

    void arrived(const QString& subject, quint64 ticket, const base::Result<StreamLook>& result);
    void say(Link::State state, const QString& reason);

    const bool m_isConfigured;
    QThread m_thread;
    QObject* m_worker; // a place on the thread; what it runs owns the client
    std::shared_ptr<redis::Client> m_client; // used on the thread only
    QHash<QString, Waiting> m_waiting;
    quint64 m_lastTicket = 0;
    Link m_link;
};

} // namespace ui
