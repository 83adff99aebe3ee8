#include "ui/data/session.h"

#include "sql/console/session.h"
#include "ui/data/bound_statement.h"

#include <QSqlError>
#include <QSqlQuery>
#include <QSqlRecord>

#include <algorithm>
#include <utility>

namespace ui {
namespace {

/// So that a host that vanished is noticed within about ten seconds.
const QString kWireOptions
    = QStringLiteral("connect_timeout=5;keepalives_idle=5;keepalives_interval=2;"
                     "keepalives_count=3;tcp_user_timeout=10000;client_encoding=UTF8;"
                     "application_name=countersign-console");

bool isOneOf(const QString& state, std::initializer_list<const char*> states)
{
    return std::any_of(states.begin(), states.end(),
        [&state](const char* one) { return state == QLatin1String{one}; });
}

base::ErrorKind kindOf(const QString& state)
{
    if (isOneOf(state, {"CS004", "CS005", "CS006"}) || state.startsWith(u"40")
        || isOneOf(state, {"55P03"})) {
        return base::ErrorKind::Conflict;
    }
    if (state.isEmpty() || state.startsWith(u"08") || state.startsWith(u"57")
        || state.startsWith(u"53")) {
        return base::ErrorKind::Unavailable;
    }
    if (isOneOf(state, {"42P01", "42703", "42883", "42601", "XX000", "XX001", "XX002"})) {
        return base::ErrorKind::Corrupt;
    }
    return base::ErrorKind::Invalid;
}

base::Error errorOf(const QSqlError& error)
{
    const QString state = error.nativeErrorCode();
    // "ERROR:  text\n(23505) QPSQL: …" – the sentence is what the server said.
    QString said = error.databaseText().section(u'\n', 0, 0).trimmed();
    if (said.startsWith(u"ERROR:") || said.startsWith(u"FATAL:")) said = said.mid(6).trimmed();
    if (said.isEmpty()) said = error.driverText();
    return base::Error{kindOf(state), said.toStdString(), state.toStdString()};
}

} // namespace

Session::Session(QString name, DatabaseAddress address)
    : m_name{std::move(name)}
    , m_address{std::move(address)}
{
    QSqlDatabase::addDatabase(QStringLiteral("QPSQL"), m_name);
}

Session::~Session()
{
    close();
    QSqlDatabase::removeDatabase(m_name);
}

QSqlDatabase Session::database() const
{
    return QSqlDatabase::database(m_name, false);
}

base::Result<ServerFacts> Session::open(const base::Secret& password)
{
    QSqlDatabase database = this->database();
    if (!database.isValid()) {
        return base::Error{base::ErrorKind::Corrupt, "Qt's PostgreSQL driver is not installed"};
    }
    if (const QStringList wrong = m_address.complaints(); !wrong.isEmpty()) {
        return base::Error{base::ErrorKind::Invalid, wrong.join(u';').toStdString()};
    }
    database.close();
    database.setHostName(m_address.host);
    database.setPort(m_address.port);
    database.setDatabaseName(m_address.database);
    database.setUserName(m_address.user);
    database.setPassword(QString::fromStdString(password.reveal()));
    QString options = kWireOptions + QStringLiteral(";sslmode=") + m_address.effectiveSslMode();
    if (!m_address.rootCertificate.isEmpty()) {
        QString path = m_address.rootCertificate;
        path.replace(u'\\', QStringLiteral("\\\\")).replace(u'\'', QStringLiteral("\\'"));
        options += QStringLiteral(";sslrootcert='%1'").arg(path);
    }
    database.setConnectOptions(options);
    database.setNumericalPrecisionPolicy(QSql::HighPrecision);
    const bool isConnected = database.open();
    database.setPassword({}); // the object stays, the secret need not
    if (!isConnected) return errorOf(database.lastError());

    const auto row = one(sql::kConsoleSettings);
    if (!row) return row.error();
    return ServerFacts{row->integer(0), row->text(1), row->text(2), row->boolean(3)};
}

void Session::close()
{
    database().close();
}

bool Session::isOpen() const
{
    return database().isOpen();
}

base::Result<Moment> Session::begin(Mode mode, std::chrono::milliseconds limit)
{
    const auto begun
        = run(mode == Mode::Reading ? sql::kConsoleBeginReading : sql::kConsoleBeginCommand);
    if (!begun) return begun.error();
    const auto row = one(sql::kConsoleLimit, {qint64{limit.count()}});
    if (!row) return row.error();
    return row->moment(1);
}

base::Status Session::commit()
{
    const auto done = run(sql::kConsoleEnd);
    if (done) return base::Done{};
    base::Error error = done.error();
    // The answer of a COMMIT was lost: it may stand. Only looking tells.
    if (isConnectionLost(error)) error.kind = base::ErrorKind::Unknown;
    return error;
}

void Session::rollback()
{
    // Without a transaction it is a warning; without a connection there is nothing to give up.
    (void)run(sql::kConsoleGiveUp);
}

base::Result<Rows> Session::run(const Statement& statement, const QVariantList& values)
{
    const auto text = boundText(statement, values);
    if (!text) return text.error();
    QSqlQuery query{database()};
    query.setNumericalPrecisionPolicy(QSql::HighPrecision);
    if (!query.exec(*text)) return errorOf(query.lastError());
    Rows rows;
    const int columns = query.record().count();
    while (query.next()) {
        QVariantList cells;
        cells.reserve(columns);
        for (int i = 0; i < columns; ++i) cells << query.value(i);
        rows.append(Row{std::move(cells)});
    }
    return rows;
}

base::Result<Row> Session::one(const Statement& statement, const QVariantList& values)
{
    auto rows = run(statement, values);
    if (!rows) return rows.error();
    if (rows->size() != 1) {
        return base::Error{base::ErrorKind::Corrupt,
            std::string{statement.name} + " answered " + std::to_string(rows->size()) + " rows"};
    }
    return rows->first();
}

bool isStopped(const base::Error& error)
{
    return error.code == "57014";
}

bool isConnectionLost(const base::Error& error)
{
    return error.kind == base::ErrorKind::Unavailable
        && (error.code.empty() || error.code.starts_with("08") || error.code.starts_with("57P"));
}

} // namespace ui
