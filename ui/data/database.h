// Database: the GUI's way to PostgreSQL. Wishes go out with a ticket, answers come back as values.
#pragma once

#include "ui/data/job_queue.h"
#include "ui/data/link.h"

#include <QHash>
#include <QObject>
#include <QPointer>
#include <QThread>

#include <memory>

namespace ui {

class Canceller;
class DatabaseWorker;

/** What came back; `value` is an Error when nothing did. */
template <class T>
struct Answer
{
    quint64 ticket = 0;
    base::Result<T> value;
    std::optional<Moment> asOf = {}; // the database's time of the snapshot
    qint64 tookMs = 0; // from the wish to the answer
};

/**
 * One database thread with one connection, and a second connection that cancels. Lives on the GUI
 * thread, which never waits. `done` runs there too, as long as `context` lives.
 *
 *     m_database.ask<LookupAnswer>(this, u"lookup"_qs, 5s,
 *         [text](Session& session) { return lookup(session, text); },
 *         [this](const Answer<LookupAnswer>& answer) { show(answer); });
 */
class Database : public QObject
{
    Q_OBJECT

public:
    /** `parent` as usual. Connects at once and keeps trying, with growing pauses. */
    Database(DatabaseAddress address, base::Secret password, QObject* parent = nullptr);
    ~Database() override;

    template <class T>
    using Work = std::function<base::Result<T>(Session&)>;
    template <class T>
    using Done = std::function<void(const Answer<T>&)>;

    /**
     * Reads in one snapshot (REPEATABLE READ, READ ONLY), on the database thread. One wish per
     * subject: an earlier one that waits is replaced, one that runs is cancelled, and neither is
     * answered. Stopped after `limit`: Unavailable, 57014.
     */
    template <class T>
    quint64 ask(QObject* context, const QString& subject, std::chrono::milliseconds limit,
        Work<T> work, Done<T> done)
    {
        CHECK(!subject.isEmpty());
        return post(context, subject, Session::Mode::Reading, limit, erased(std::move(work)),
            restored(std::move(done)));
    }

    /**
     * One function that a person calls, in a transaction of its own (READ COMMITTED); never
     * superseded, never repeated. Unknown: it may have been done – look before trying again.
     */
    template <class T>
    quint64 command(QObject* context, std::chrono::milliseconds limit, Work<T> work, Done<T> done)
    {
        return post(context, {}, Session::Mode::Command, limit, erased(std::move(work)),
            restored(std::move(done)));
    }

    /** The wish is no longer wanted: dropped or stopped, and not answered. */
    void cancel(quint64 ticket);
    /** Hints of a channel, gathered for a quarter of a second; lost ones are normal. */
    void listen(const QString& channel);

    const Link& link() const { return m_link; }

    /** How much longer than its limit a wish is waited for, when nothing is heard at all. */
    static constexpr std::chrono::milliseconds kGrace{2000};

signals:
    void linkChanged(const ui::Link& link);
    void hinted(const QStringList& channels);

private:
    using AnyWork = std::function<base::Result<std::any>(Session&)>;
    using AnyDone = std::function<void(const Answer<std::any>&)>;
    struct Waiting
    {
        QPointer<QObject> context;
        QString subject;
        AnyDone done;
        std::chrono::steady_clock::time_point asked;
        bool isCommand;
    };

    template <class T>
    static AnyWork erased(Work<T> work)
    {
        return [work = std::move(work)](Session& session) -> base::Result<std::any> {
            auto value = work(session);
            if (!value) return value.error();
            return std::any{std::move(*value)};
        };
    }
    template <class T>
    static AnyDone restored(Done<T> done)
    {
        return [done = std::move(done)](const Answer<std::any>& any) {
            if (!any.value) {
                done({any.ticket, any.value.error(), any.asOf, any.tookMs});
            } else {
                done({any.ticket, std::any_cast<const T&>(*any.value), any.asOf, any.tookMs});
            }
        };
    }

    quint64 post(QObject* context, const QString& subject, Session::Mode mode,
        std::chrono::milliseconds limit, AnyWork work, AnyDone done);
    void arrived(
        quint64 ticket, const base::Result<std::any>& result, const std::optional<Moment>& asOf);
    void timedOut(quint64 ticket);
    void stop(quint64 ticket);

    std::shared_ptr<JobQueue> m_queue;
    QThread* m_thread;
    QThread* m_cancelThread;
    DatabaseWorker* m_worker;
    Canceller* m_canceller;
    QHash<quint64, Waiting> m_waiting;
    QHash<QString, quint64> m_latest;
    quint64 m_lastTicket = 0;
    Link m_link;
};

} // namespace ui
