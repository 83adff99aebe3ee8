#include "processor/pg/connection.h"
#include "tests/support/postgres_server.h"

#include <QTest>
#include <limits>

using Limits = std::numeric_limits<std::int64_t>;

namespace {

pg::Bytes bytesOf(std::initializer_list<int> values)
{
    pg::Bytes bytes;
    for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
    return bytes;
}

const std::string kWithNul{"a\0b", 3};

} // namespace

// Every kind of parameter, sent to a real server; the server's own text form is compared, and what
// the typed getters read back.
class TstParams : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void scalarsArrive_data();
    void scalarsArrive();
    void arraysArrive_data();
    void arraysArrive();
    void gettersReadWhatWasSent();
    void arraysComeApartInOrder();
    void badValuesAreInvalid_data();
    void badValuesAreInvalid();
    void countsRowsAndNamesTheCommand();

private:
    pg::Rows run(const char* sql, const pg::Params& params = {})
    {
        auto rows = m_connection->run({"test", sql}, params);
        if (!rows) qFatal("%s", rows.error().message.c_str());
        return std::move(*rows);
    }

    std::unique_ptr<support::PostgresServer> m_server;
    std::optional<pg::Connection> m_connection;
};

Q_DECLARE_METATYPE(pg::Params)

void TstParams::initTestCase()
{
    auto server = support::PostgresServer::start();
    QVERIFY2(server, server ? "" : server.error().message.c_str());
    m_server = std::move(*server);
    auto connection = pg::Connection::open({.url = m_server->url()});
    QVERIFY2(connection, connection ? "" : connection.error().message.c_str());
    m_connection = std::move(*connection);
}

void TstParams::scalarsArrive_data()
{
    QTest::addColumn<pg::Params>("params");
    QTest::addColumn<QString>("type");
    QTest::addColumn<QString>("text"); // null: SQL null
    using P = pg::Params;

    QTest::newRow("bigint") << P{}.bigint(42) << "bigint"
                            << "42";
    QTest::newRow("smallest bigint") << P{}.bigint(Limits::min()) << "bigint"
                                     << "-9223372036854775808";
    QTest::newRow("largest bigint") << P{}.bigint(Limits::max()) << "bigint"
                                    << "9223372036854775807";
    QTest::newRow("no bigint") << P{}.bigint(std::nullopt) << "bigint" << QString{};
    QTest::newRow("integer") << P{}.integer(-2147483647) << "integer"
                             << "-2147483647";
    QTest::newRow("smallint") << P{}.smallint(-32768) << "smallint"
                              << "-32768";
    QTest::newRow("true") << P{}.boolean(true) << "boolean"
                          << "true";
    QTest::newRow("false") << P{}.boolean(false) << "boolean"
                           << "false";
    QTest::newRow("text") << P{}.text("héllo 'quoted' \\") << "text"
                          << "héllo 'quoted' \\";
    QTest::newRow("empty text") << P{}.text("") << "text"
                                << "";
    QTest::newRow("optional text") << P{}.text(std::optional<std::string>{"x"}) << "text"
                                   << "x";
    QTest::newRow("no text") << P{}.text(std::optional<std::string>{}) << "text" << QString{};
    QTest::newRow("bytea") << P{}.bytea(bytesOf({0, 1, 255})) << "bytea"
                           << "\\x0001ff";
    QTest::newRow("empty bytea") << P{}.bytea(pg::Bytes{}) << "bytea"
                                 << "\\x";
    QTest::newRow("no bytea") << P{}.bytea(std::optional<pg::Bytes>{}) << "bytea" << QString{};
    QTest::newRow("numeric") << P{}.numeric("99999999999999999999.123456789012345678") << "numeric"
                             << "99999999999999999999.123456789012345678";
    QTest::newRow("jsonb") << P{}.jsonb("{\"a\": [1, null]}") << "jsonb"
                           << "{\"a\": [1, null]}";
    QTest::newRow("no jsonb") << P{}.jsonb(std::nullopt) << "jsonb" << QString{};
}

void TstParams::scalarsArrive()
{
    QFETCH(pg::Params, params);
    QFETCH(QString, type);
    QFETCH(QString, text);

    const auto rows = run("SELECT pg_typeof($1)::text, $1::text", params);

    QCOMPARE(QString::fromStdString(std::string{rows.text(0, 0)}), type);
    QCOMPARE(rows.isNull(0, 1), text.isNull());
    if (!text.isNull()) {
        QCOMPARE(QString::fromStdString(std::string{rows.text(0, 1)}), text);
    }
}

void TstParams::arraysArrive_data()
{
    QTest::addColumn<pg::Params>("params");
    QTest::addColumn<QString>("type");
    QTest::addColumn<QString>("text");
    using P = pg::Params;
    using Numbers = std::vector<std::int64_t>;
    using MaybeNumbers = std::vector<std::optional<std::int64_t>>;
    using Texts = std::vector<std::string>;
    using MaybeTexts = std::vector<std::optional<std::string>>;
    using Blobs = std::vector<pg::Bytes>;
    using MaybeBlobs = std::vector<std::optional<pg::Bytes>>;

    QTest::newRow("bigints") << P{}.bigintArray(Numbers{1, -2, Limits::max()}) << "bigint[]"
                             << "{1,-2,9223372036854775807}";
    QTest::newRow("no bigints") << P{}.bigintArray(Numbers{}) << "bigint[]"
                                << "{}";
    QTest::newRow("bigints with null")
        << P{}.bigintArray(MaybeNumbers{1, std::nullopt, 3}) << "bigint[]"
        << "{1,NULL,3}";
    QTest::newRow("only null") << P{}.bigintArray(MaybeNumbers{std::nullopt}) << "bigint[]"
                               << "{NULL}";
    QTest::newRow("integers") << P{}.integerArray(std::vector<std::int32_t>{-1, 2147483647})
                              << "integer[]"
                              << "{-1,2147483647}";
    QTest::newRow("no integers") << P{}.integerArray(std::vector<std::int32_t>{}) << "integer[]"
                                 << "{}";
    QTest::newRow("smallints") << P{}.smallintArray(std::vector<std::int16_t>{-32768, 7})
                               << "smallint[]"
                               << "{-32768,7}";
    QTest::newRow("booleans") << P{}.booleanArray(std::vector<char>{1, 0, 2}) << "boolean[]"
                              << "{t,f,t}";
    QTest::newRow("texts") << P{}.textArray(Texts{"a", "", "NULL", "x,y", "ü\"\\"}) << "text[]"
                           << "{a,\"\",\"NULL\",\"x,y\",\"ü\\\"\\\\\"}";
    QTest::newRow("no texts") << P{}.textArray(Texts{}) << "text[]"
                              << "{}";
    QTest::newRow("texts with null") << P{}.textArray(MaybeTexts{"a", std::nullopt, ""}) << "text[]"
                                     << "{a,NULL,\"\"}";
    QTest::newRow("byteas") << P{}.byteaArray(Blobs{bytesOf({0, 255}), {}}) << "bytea[]"
                            << "{\"\\\\x00ff\",\"\\\\x\"}";
    QTest::newRow("no byteas") << P{}.byteaArray(Blobs{}) << "bytea[]"
                               << "{}";
    QTest::newRow("byteas with null")
        << P{}.byteaArray(MaybeBlobs{std::nullopt, bytesOf({1})}) << "bytea[]"
        << "{NULL,\"\\\\x01\"}";
}

void TstParams::arraysArrive()
{
    QFETCH(pg::Params, params);
    QFETCH(QString, type);
    QFETCH(QString, text);

    const auto rows
        = run("SELECT pg_typeof($1)::text, $1::text, coalesce(array_lower($1, 1), 1)", params);

    QCOMPARE(QString::fromStdString(std::string{rows.text(0, 0)}), type);
    QCOMPARE(QString::fromStdString(std::string{rows.text(0, 1)}), text);
    QCOMPARE(rows.bigint(0, 2), 1);
}

void TstParams::gettersReadWhatWasSent()
{
    pg::Params params;
    params.bigint(Limits::min()).integer(-5).smallint(-6).boolean(true).text("täxt");
    params.bytea(bytesOf({0, 128})).bigint(std::nullopt).text(std::optional<std::string>{});

    const auto rows = run("SELECT $1, $2, $3, $4, $5, $6, $7, $8, $5::varchar(9), $5::name, "
                          "timestamptz '2024-02-29 12:00:00.000001+00', "
                          "timestamptz '1969-12-31 23:59:59+00', timestamptz 'infinity', "
                          "'{}'::json, 'c'::\"char\"",
        params);

    QCOMPARE(rows.size(), 1);
    QCOMPARE(rows.bigint(0, 0), Limits::min());
    QCOMPARE(rows.bigint(0, 1), -5);
    QCOMPARE(rows.bigint(0, 2), -6);
    QCOMPARE(rows.boolean(0, 3), true);
    QVERIFY(rows.text(0, 4) == "täxt");
    const auto bytes = rows.bytea(0, 5);
    QVERIFY((pg::Bytes{bytes.begin(), bytes.end()} == bytesOf({0, 128})));
    QVERIFY(rows.isNull(0, 6));
    QVERIFY(!rows.bigintOrNull(0, 6));
    QVERIFY(!rows.textOrNull(0, 7));
    QVERIFY(rows.bigintOrNull(0, 1) == -5);
    QVERIFY(rows.textOrNull(0, 8) == "täxt");
    QVERIFY(rows.text(0, 9) == "täxt");
    QCOMPARE(rows.timestampMicros(0, 10), 1'709'208'000'000'001);
    QCOMPARE(rows.timestampMicros(0, 11), -1'000'000);
    QCOMPARE(rows.timestampMicros(0, 12), Limits::max());
    QVERIFY(rows.text(0, 13) == "{}");
    QVERIFY(rows.text(0, 14) == "c");
}

void TstParams::arraysComeApartInOrder()
{
    std::vector<std::int64_t> ids;
    std::vector<std::string> names;
    for (std::int64_t i = 0; i < 1'000; ++i) {
        ids.push_back(i * i);
        names.push_back("name " + std::to_string(i));
    }
    const auto rows = run("SELECT id, name FROM unnest($1, $2) WITH ORDINALITY AS t(id, name, n) "
                          "ORDER BY n",
        pg::Params{}.bigintArray(ids).textArray(names));

    QCOMPARE(rows.size(), 1'000);
    for (int i = 0; i < rows.size(); ++i) {
        QCOMPARE(rows.bigint(i, 0), ids[std::size_t(i)]);
        QVERIFY(rows.text(i, 1) == names[std::size_t(i)]);
    }
}

void TstParams::badValuesAreInvalid_data()
{
    QTest::addColumn<pg::Params>("params");
    QTest::addColumn<QString>("code");

    QTest::newRow("not a number") << pg::Params{}.numeric("12x") << "22P02";
    QTest::newRow("not JSON") << pg::Params{}.jsonb("{") << "22P02";
    QTest::newRow("not UTF-8") << pg::Params{}.text("\xff\xfe") << "22021";
    QTest::newRow("NUL in text") << pg::Params{}.text(kWithNul) << "22021";
    QTest::newRow("NUL in an array") << pg::Params{}.textArray(std::vector{kWithNul}) << "22021";
}

void TstParams::badValuesAreInvalid()
{
    QFETCH(pg::Params, params);
    QFETCH(QString, code);

    const auto rows = m_connection->run({"bad_value", "SELECT $1"}, params);

    QVERIFY(!rows);
    QCOMPARE(int(rows.error().kind), int(base::ErrorKind::Invalid));
    QCOMPARE(QString::fromStdString(rows.error().code), code);
    QVERIFY(rows.error().message.starts_with("bad_value: "));
    QVERIFY(m_connection->isIdle());
}

void TstParams::countsRowsAndNamesTheCommand()
{
    run("CREATE TEMP TABLE counted (n int)");
    const auto inserted = run("INSERT INTO counted SELECT generate_series(1, 7)");
    const auto updated = run("UPDATE counted SET n = 0 WHERE n > 4");
    const auto selected = run("SELECT n FROM counted WHERE n = 99");

    QCOMPARE(inserted.affected(), 7);
    QVERIFY(inserted.commandTag() == "INSERT 0 7");
    QCOMPARE(updated.affected(), 3);
    QCOMPARE(selected.affected(), 0);
    QVERIFY(selected.empty());
}

QTEST_GUILESS_MAIN(TstParams)
#include "tst_params.moc"
