#include "ui/data/redis_reader.h"

#include <QTimer>

#include <utility>

namespace ui {

RedisReader::RedisReader(const QString& url, QObject* parent)
    : QObject{parent}
    , m_isConfigured{!url.isEmpty()}
    , m_worker{new QObject}
    , m_client{std::make_shared<redis::Client>(redis::ClientOptions{.url = url.toStdString()})}
{
    m_thread.setObjectName(QStringLiteral("redis"));
    m_worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    m_thread.start();
}

RedisReader::~RedisReader()
{
    m_thread.quit();
    m_thread.wait(); // bounded by the client's time-outs
}

quint64 RedisReader::look(
    QObject* context, const QString& subject, const QList<qint64>& numbers, Done done)
{
    const quint64 ticket = ++m_lastTicket;
    m_waiting.insert(subject, {context, std::move(done), ticket});
    if (!m_isConfigured) {
        QTimer::singleShot(0, this, [this, subject, ticket] {
            arrived(subject, ticket,
                base::Error{base::ErrorKind::Unavailable, "no Redis is configured"});
        });
        return ticket;
    }
    QMetaObject::invokeMethod(
        m_worker, [this, client = m_client, subject, ticket, wanted = numbers.mid(0, kNumbersMax)] {
            auto result = lookAtStream(*client, wanted);
            QMetaObject::invokeMethod(this, [this, subject, ticket, result = std::move(result)] {
                arrived(subject, ticket, result);
            });
        });
    return ticket;
}

void RedisReader::arrived(
    const QString& subject, quint64 ticket, const base::Result<StreamLook>& result)
{
    if (result) {
        say(Link::State::Up, {});
    } else {
        say(Link::State::Down, QString::fromStdString(result.error().message));
    }
    const auto found = m_waiting.find(subject);
    if (found == m_waiting.end() || found->ticket != ticket) return; // not the latest wish
    const Waiting waiting = *found;
    m_waiting.erase(found);
    if (waiting.context) waiting.done(result);
}

void RedisReader::say(Link::State state, const QString& reason)
{
    if (m_link.state == state && m_link.reason == reason) return;
    if (m_link.state != state) m_link.since = QDateTime::currentDateTimeUtc();
    m_link.state = state;
    m_link.reason = reason;
    emit linkChanged(m_link);
}

} // namespace ui
