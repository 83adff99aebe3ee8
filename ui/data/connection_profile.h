// ConnectionProfile: where the stores are and who we are there. Values only; never a stored secret.
#pragma once

#include "processor/base/result.h"
#include "processor/base/secret.h"

#include <QString>
#include <QStringList>

namespace ui {

/** One PostgreSQL address. `host` is a name, an address or the folder of a Unix socket. */
struct DatabaseAddress
{
    QString host = {};
    quint16 port = 5432;
    QString database = QStringLiteral("countersign");
    QString user = {};
    QString sslMode = {}; // empty: verify-full, or what a socket and the loopback need: prefer
    QString rootCertificate = {}; // path; empty: the system's

    bool operator==(const DatabaseAddress&) const = default;

    /** A socket, or a loopback address: nothing crosses a wire. */
    bool isLocal() const;
    /** The mode in force. */
    QString effectiveSslMode() const;

    /** From a libpq URI such as the ready line's; its password is not taken. Error: Invalid. */
    static base::Result<DatabaseAddress> fromUri(const QString& uri);

    /** libpq's keyword=value text without a password, quoted so that no value can add another. */
    QString dsn() const;
    /** What is wrong with it, in order; empty: usable. */
    QStringList complaints() const;
};

struct ConnectionProfile
{
    QString name = {};
    QString environment = QStringLiteral("test"); // production, staging, test
    DatabaseAddress primary = {};
    QString replicaHost = {}; // optional read replica; everything else as the primary
    quint16 replicaPort = 5432;
    QString redisUrl = {}; // optional
    QStringList adminUrls = {}; // of processors, http://HOST:PORT

    bool operator==(const ConnectionProfile&) const = default;

    /** The replica if there is one and reading is all that is asked; else the primary. */
    DatabaseAddress addressFor(bool isReading) const;
};

/** What is asked for or kept elsewhere (keychain, file); never part of a profile. */
struct Credentials
{
    base::Secret databasePassword = {};
    base::Secret adminToken = {};
};

} // namespace ui
