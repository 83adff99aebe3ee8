#include "processor/pg/connection.h"
#include "processor/pg/migrator.h"
#include "sql/migrations.h"
#include "sql/roles.h"
#include "tests/support/postgres_server.h"

#include <QTest>
#include <libpq-fe.h>
#include <memory>
#include <vector>

namespace {

struct Finish
{
    void operator()(PGconn* raw) const noexcept { PQfinish(raw); }
};
struct Clear
{
    void operator()(PGresult* raw) const noexcept { PQclear(raw); }
};
using ResultHandle = std::unique_ptr<PGresult, Clear>;

// The types pg::Rows can read; numeric and uuid leave SQL as text.
const QStringList kReadable{"bigint", "integer", "smallint", "boolean", "text", "character varying",
    "name", "bytea", "timestamp with time zone", "json", "\"char\""};

QStringList annotation(const QString& statement, const QString& mark)
{
    const QRegularExpression line{"^-- " + mark + ":(.*)$", QRegularExpression::MultilineOption};
    QStringList types;
    auto matches = line.globalMatch(statement); // a long list has several lines
    while (matches.hasNext()) {
        const QString list = matches.next().captured(1);
        for (const auto& type : list.split(',', Qt::SkipEmptyParts)) types << type.trimmed();
    }
    return types;
}

QString withoutComments(QString statement)
{
    static const QRegularExpression comment{"--[^\n]*"};
    return statement.remove(comment).trimmed();
}

int highestParameter(const QString& statement)
{
    static const QRegularExpression parameter{"\\$([0-9]+)"};
    int highest = 0;
    auto matches = parameter.globalMatch(withoutComments(statement));
    while (matches.hasNext()) highest = std::max(highest, matches.next().captured(1).toInt());
    return highest;
}

} // namespace

// Every statement of sql/queries and sql/console is prepared on a freshly migrated server and
// compared with what its annotations promise. New files and statements are found by themselves.
class TstQueries : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void namesAreUniqueAndEmbedded();
    void isWhatItsAnnotationsSay_data();
    void isWhatItsAnnotationsSay();

private:
    struct Statement
    {
        QString subject;
        QString name;
        QString text;
        QString generated; // folder of its header
    };
    void readStatements(const QString& path, const QString& generated);
    QString typeName(Oid type) const;
    Oid typeNumber(const QString& name) const;

    std::vector<Statement> m_statements;
    std::unique_ptr<support::PostgresServer> m_server;
    std::unique_ptr<PGconn, Finish> m_raw;
};

void TstQueries::readStatements(const QString& path, const QString& generated)
{
    const QDir folder{path};
    static const QRegularExpression head{
        "^-- name: ([a-z_0-9]+)$", QRegularExpression::MultilineOption};
    for (const auto& file : folder.entryInfoList({"*.sql"}, QDir::Files, QDir::Name)) {
        QFile in{file.filePath()};
        QVERIFY(in.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(in.readAll());
        auto matches = head.globalMatch(text);
        QVERIFY2(matches.hasNext(), qPrintable(file.fileName() + " has no statement"));
        while (matches.hasNext()) {
            const auto match = matches.next();
            const auto from = match.capturedStart();
            const auto end = matches.hasNext() ? matches.peekNext().capturedStart() : text.size();
            m_statements.push_back({file.completeBaseName(), match.captured(1),
                text.mid(from, end - from), generated});
        }
    }
    QVERIFY(!m_statements.empty());
}

void TstQueries::initTestCase()
{
    readStatements(QString{COUNTERSIGN_SQL} + "/queries", "/sql/");
    readStatements(QString{COUNTERSIGN_SQL} + "/console", "/sql/console/");
    auto server = support::PostgresServer::start();
    QVERIFY2(server, server ? "" : server.error().message.c_str());
    m_server = std::move(*server);
    auto connection = pg::Connection::open({.url = m_server->url()});
    QVERIFY2(connection, connection ? "" : connection.error().message.c_str());
    pg::Migrator migrator{*connection, sql::kMigrations};
    const auto roles = migrator.runScript(sql::kRoles);
    QVERIFY2(roles, roles ? "" : roles.error().message.c_str());
    const auto migrated = migrator.apply();
    QVERIFY2(migrated, migrated ? "" : migrated.error().message.c_str());
    m_raw.reset(PQconnectdb(m_server->url().c_str()));
    QCOMPARE(PQstatus(m_raw.get()), CONNECTION_OK);
}

QString TstQueries::typeName(Oid type) const
{
    const QByteArray number = QByteArray::number(type);
    const char* value = number.constData();
    const ResultHandle result{PQexecParams(
        m_raw.get(), "SELECT format_type($1::oid, NULL)", 1, nullptr, &value, nullptr, nullptr, 0)};
    return QString{PQgetvalue(result.get(), 0, 0)};
}

Oid TstQueries::typeNumber(const QString& name) const
{
    const QByteArray text = name.toUtf8();
    const char* value = text.constData();
    const ResultHandle result{PQexecParams(
        m_raw.get(), "SELECT to_regtype($1)::oid", 1, nullptr, &value, nullptr, nullptr, 0)};
    return QByteArray{PQgetvalue(result.get(), 0, 0)}.toUInt(); // 0: no such type
}

void TstQueries::namesAreUniqueAndEmbedded()
{
    QSet<QString> seen;
    for (const auto& one : m_statements) {
        QVERIFY2(!seen.contains(one.name), qPrintable(one.name + " occurs twice"));
        seen.insert(one.name);
        QFile header{QString{COUNTERSIGN_GENERATED} + one.generated + one.subject + ".h"};
        QVERIFY2(header.open(QIODevice::ReadOnly),
            qPrintable(one.subject + " is not in sql/CMakeLists.txt"));
        QVERIFY2(QString::fromUtf8(header.readAll()).contains("R\"sql(" + one.text + ")sql\""),
            qPrintable(one.name + " was not embedded as it is written"));
    }
}

void TstQueries::isWhatItsAnnotationsSay_data()
{
    QTest::addColumn<QString>("text");

    for (const auto& one : m_statements) {
        QTest::newRow(qPrintable(one.subject + "/" + one.name)) << one.text;
    }
}

void TstQueries::isWhatItsAnnotationsSay()
{
    QFETCH(QString, text);
    const QStringList in = annotation(text, "in");
    const QStringList out = annotation(text, "out");
    QVERIFY2(!withoutComments(text).endsWith(';'), "ends with a semicolon");
    QCOMPARE(highestParameter(text), int(in.size()));
    std::vector<Oid> types;
    for (const auto& name : in) {
        types.push_back(typeNumber(name));
        QVERIFY2(types.back() != 0, qPrintable("unknown type " + name));
    }

    const ResultHandle prepared{
        PQprepare(m_raw.get(), "", text.toUtf8().constData(), int(types.size()), types.data())};
    QVERIFY2(
        PQresultStatus(prepared.get()) == PGRES_COMMAND_OK, PQresultErrorMessage(prepared.get()));
    const ResultHandle described{PQdescribePrepared(m_raw.get(), "")};
    QVERIFY(PQresultStatus(described.get()) == PGRES_COMMAND_OK);

    QStringList parameters;
    for (int i = 0; i < PQnparams(described.get()); ++i) {
        parameters << typeName(PQparamtype(described.get(), i));
    }
    QStringList columns;
    for (int i = 0; i < PQnfields(described.get()); ++i) {
        columns << typeName(PQftype(described.get(), i));
    }
    QCOMPARE(parameters, in);
    QCOMPARE(columns, out);
    for (const auto& column : columns) {
        QVERIFY2(kReadable.contains(column), qPrintable(column + " cannot be read by pg::Rows"));
    }
}

QTEST_GUILESS_MAIN(TstQueries)
#include "tst_queries.moc"
