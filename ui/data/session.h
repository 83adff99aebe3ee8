// Session: one connection of Qt's PostgreSQL driver on the database thread, asked by statement.
#pragma once

#include "processor/base/result.h"
#include "ui/data/connection_profile.h"
#include "ui/data/rows.h"
#include "ui/data/statement.h"

#include <QSqlDatabase>
#include <QString>
#include <QVariantList>

#include <chrono>

namespace ui {

/** Who serves us: told once per connection. */
struct ServerFacts
{
    qint64 backend = 0; // its process, for cancelling
    QString login = {};
    QString serverVersion = {};
    bool isReplica = false;
};

/**
 * For one thread, which makes and destroys it. Errors carry the SQLSTATE as `code` and the server's
 * sentence as `message` (CS001 … CS006 as written by the functions). Kinds: Unavailable – the
 * server is away or busy, or the time ran out (57014); Conflict – read again (CS004 … CS006,
 * 40xxx); Invalid – never for this login or these values; Corrupt – schema and console differ.
 */
class Session
{
public:
    enum class Mode { Reading, Command };

    Session(QString name, DatabaseAddress address);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /** Connects anew, at most 5 s for each of the host's addresses. */
    base::Result<ServerFacts> open(const base::Secret& password);
    void close();
    bool isOpen() const;

    /** Begins a transaction whose statements share `limit`. The database's time: the as-of. */
    base::Result<Moment> begin(Mode mode, std::chrono::milliseconds limit);
    base::Status commit();
    void rollback(); // whatever stands, also after an error

    base::Result<Rows> run(const Statement& statement, const QVariantList& values = {});
    /** Exactly one row, else Corrupt. */
    base::Result<Row> one(const Statement& statement, const QVariantList& values = {});

    /** Hints arrive as QSqlDriver::notification of database().driver(). */
    QSqlDatabase database() const;

private:
    const QString m_name;
    const DatabaseAddress m_address;
};

/** The statement was stopped: by its deadline or by a cancel. */
bool isStopped(const base::Error& error);
/** The connection is of no further use. */
bool isConnectionLost(const base::Error& error);

} // namespace ui
