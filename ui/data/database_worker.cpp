#include "ui/data/database_worker.h"

#include "sql/console/session.h"

#include <QSqlDriver>
#include <QUuid>

#include <algorithm>
#include <utility>

namespace ui {

DatabaseWorker::DatabaseWorker(
    std::shared_ptr<JobQueue> queue, DatabaseAddress address, base::Secret password)
    : m_queue{std::move(queue)}
    , m_address{std::move(address)}
    , m_password{std::move(password)}
{
    m_reconnect.setSingleShot(true);
    m_hintTimer.setSingleShot(true);
    connect(&m_reconnect, &QTimer::timeout, this, &DatabaseWorker::connectNow);
    connect(&m_ping, &QTimer::timeout, this, &DatabaseWorker::ping);
    connect(&m_hintTimer, &QTimer::timeout, this, &DatabaseWorker::tellHints);
}

void DatabaseWorker::start()
{
    m_session = std::make_unique<Session>(QUuid::createUuid().toString(), m_address);
    auto* driver = m_session->database().driver();
    connect(driver, &QSqlDriver::notification, this, [this](const QString& channel) {
        m_hints.insert(channel);
        if (!m_hintTimer.isActive()) m_hintTimer.start(kHintsEvery);
    });
    m_ping.start(kPingEvery);
    say(Link::State::Connecting, {});
    connectNow();
}

void DatabaseWorker::close()
{
    m_ping.stop();
    m_reconnect.stop();
    m_session.reset();
}

bool DatabaseWorker::connectNow()
{
    m_reconnect.stop();
    auto facts = m_session->open(m_password);
    if (!facts) {
        lost(facts.error());
        return false;
    }
    m_queue->setBackend(facts->backend);
    m_link.server = *facts;
    m_pause = kFirstPause;
    for (const auto& channel : std::as_const(m_channels)) subscribe(channel);
    say(Link::State::Up, {});
    return true;
}

void DatabaseWorker::lost(const base::Error& error)
{
    m_session->close();
    m_queue->setBackend(0);
    say(Link::State::Down, QString::fromStdString(error.message));
    m_reconnect.start(m_pause);
    m_pause = std::min(m_pause * 2, kLongestPause);
}

void DatabaseWorker::say(Link::State state, const QString& reason)
{
    // "Since" is when it first did not answer, not when it was last tried.
    if (m_link.state != state || !m_link.since.isValid()) {
        m_link.since = QDateTime::currentDateTimeUtc();
    }
    m_link.state = state;
    m_link.reason = reason;
    emit linkChanged(m_link);
}

void DatabaseWorker::ping()
{
    if (!m_session->isOpen()) return;
    const auto answer = m_session->run(sql::kConsolePing);
    if (!answer && isConnectionLost(answer.error())) lost(answer.error());
}

void DatabaseWorker::runNext()
{
    const auto job = m_queue->take();
    if (!job) return; // superseded before its turn
    std::optional<Moment> asOf;
    auto result = std::make_shared<base::Result<std::any>>(runJob(*job, asOf));
    m_queue->finish();
    emit finished(job->ticket, result, asOf);
}

base::Result<Moment> DatabaseWorker::beginJob(const Job& job)
{
    using std::chrono::duration_cast;
    using std::chrono::milliseconds;
    const auto left = duration_cast<milliseconds>(job.deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) {
        return base::Error{base::ErrorKind::Unavailable, "stopped at its deadline", "57014"};
    }
    return m_session->begin(job.mode, left);
}

base::Result<std::any> DatabaseWorker::runJob(const Job& job, std::optional<Moment>& asOf)
{
    if (!m_session->isOpen()) {
        return base::Error{base::ErrorKind::Unavailable, m_link.reason.toStdString()};
    }
    auto begun = beginJob(job);
    if (!begun && isConnectionLost(begun.error())) {
        // It died while nobody asked. Nothing of this job has run, so it may begin once more.
        m_session->close();
        if (!connectNow()) return begun.error();
        begun = beginJob(job);
    }
    if (!begun) {
        if (isConnectionLost(begun.error())) {
            lost(begun.error());
        } else {
            m_session->rollback();
        }
        return begun.error();
    }
    asOf = *begun;
    auto result = job.work(*m_session);
    if (result) {
        if (const auto done = m_session->commit(); !done) result = done.error();
    }
    if (!result) {
        if (isConnectionLost(result.error()) || result.error().kind == base::ErrorKind::Unknown) {
            lost(result.error());
        } else {
            m_session->rollback();
        }
    }
    return result;
}

void DatabaseWorker::listen(const QString& channel)
{
    m_channels.insert(channel);
    if (m_session && m_session->isOpen()) subscribe(channel);
}

void DatabaseWorker::subscribe(const QString& channel)
{
    auto* driver = m_session->database().driver();
    if (driver->subscribedToNotifications().contains(channel)) {
        driver->unsubscribeFromNotification(channel);
    }
    driver->subscribeToNotification(channel);
}

void DatabaseWorker::tellHints()
{
    const QStringList channels{m_hints.begin(), m_hints.end()};
    m_hints.clear();
    emit hinted(channels);
}

} // namespace ui
