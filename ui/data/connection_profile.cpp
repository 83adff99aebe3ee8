#include "ui/data/connection_profile.h"

#include "processor/base/url.h"

#include <QHostAddress>

namespace ui {
namespace {

const QStringList kSslModes{QStringLiteral("disable"), QStringLiteral("allow"),
    QStringLiteral("prefer"), QStringLiteral("require"), QStringLiteral("verify-ca"),
    QStringLiteral("verify-full")};

QString dsnValue(QString value)
{
    value.replace(u'\\', QStringLiteral("\\\\")).replace(u'\'', QStringLiteral("\\'"));
    return u'\'' + value + u'\'';
}

QString valueOf(const base::Url& url, const char* name)
{
    const auto found = url.query.find(name);
    return found == url.query.end() ? QString{} : QString::fromStdString(found->second);
}

} // namespace

bool DatabaseAddress::isLocal() const
{
    return host.isEmpty() || host.startsWith(u'/') || host == QLatin1String{"localhost"}
    || QHostAddress{host}.isLoopback();
}

QString DatabaseAddress::effectiveSslMode() const
{
    if (!sslMode.isEmpty()) return sslMode;
    return isLocal() ? QStringLiteral("prefer") : QStringLiteral("verify-full");
}

base::Result<DatabaseAddress> DatabaseAddress::fromUri(const QString& uri)
{
    auto url = base::parseUrl(uri.toStdString());
    if (!url) return url.error();
    if (url->scheme != "postgresql" && url->scheme != "postgres") {
        return base::Error{base::ErrorKind::Invalid, "not a PostgreSQL URL"};
    }
    DatabaseAddress address;
    address.host = QString::fromStdString(url->host);
    address.user = QString::fromStdString(url->user);
    if (url->port) address.port = *url->port;
    if (url->path.size() > 1) address.database = QString::fromStdString(url->path.substr(1));
    // As libpq does, parameters win over what stands before them.
    if (const QString host = valueOf(*url, "host"); !host.isEmpty()) address.host = host;
    if (const QString user = valueOf(*url, "user"); !user.isEmpty()) address.user = user;
    if (const QString name = valueOf(*url, "dbname"); !name.isEmpty()) address.database = name;
    if (const QString port = valueOf(*url, "port"); !port.isEmpty()) {
        bool isNumber = false;
        address.port = port.toUShort(&isNumber);
        if (!isNumber) return base::Error{base::ErrorKind::Invalid, "the port is no number"};
    }
    address.sslMode = valueOf(*url, "sslmode");
    address.rootCertificate = valueOf(*url, "sslrootcert");
    return address;
}

QString DatabaseAddress::dsn() const
{
    QStringList parts;
    if (!host.isEmpty()) parts << QStringLiteral("host=") + dsnValue(host);
    parts << QStringLiteral("port=") + QString::number(port);
    parts << QStringLiteral("dbname=") + dsnValue(database);
    if (!user.isEmpty()) parts << QStringLiteral("user=") + dsnValue(user);
    parts << QStringLiteral("sslmode=") + dsnValue(effectiveSslMode());
    if (!rootCertificate.isEmpty()) {
        parts << QStringLiteral("sslrootcert=") + dsnValue(rootCertificate);
    }
    return parts.join(u' ');
}

QStringList DatabaseAddress::complaints() const
{
    QStringList found;
    if (database.isEmpty()) found << QStringLiteral("database: empty");
    if (port == 0) found << QStringLiteral("port: 0");
    if (!kSslModes.contains(effectiveSslMode())) {
        found << QStringLiteral("sslmode: %1 is none of %2")
                     .arg(sslMode, kSslModes.join(QStringLiteral(", ")));
    }
    // Qt's driver splits its options at semicolons before libpq sees any quotes.
    if (rootCertificate.contains(u';')) {
        found << QStringLiteral("sslrootcert: a path with a semicolon cannot be used");
    }
    return found;
}

DatabaseAddress ConnectionProfile::addressFor(bool isReading) const
{
    DatabaseAddress address = primary;
    if (isReading && !replicaHost.isEmpty()) {
        address.host = replicaHost;
        address.port = replicaPort;
    }
    return address;
}

} // namespace ui
