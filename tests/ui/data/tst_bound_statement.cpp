#include "ui/data/bound_statement.h"

#include <QTest>

namespace {

constexpr ui::Statement kTwo{"two",
    "-- name: two\n-- in: bigint, text\n-- $1 is not this, nor is it '$2\nSELECT $1, '$1', $2"};
constexpr ui::Statement kArrays{"arrays", "-- in: bigint[], text[], bytea\nSELECT $1, $2, $3"};

} // namespace

class TstBoundStatement : public QObject
{
    Q_OBJECT

private slots:
    void writesValuesAsTypedLiterals_data();
    void writesValuesAsTypedLiterals();
    void writesArraysAndOctets();
    void refusesWhatPostgresCannotHold();
};

void TstBoundStatement::writesValuesAsTypedLiterals_data()
{
    QTest::addColumn<QVariant>("number");
    QTest::addColumn<QVariant>("text");
    QTest::addColumn<QString>("bound");

    QTest::newRow("plain") << QVariant{qint64{9007199254740993}} << QVariant{QString{"a"}}
                           << "SELECT (E'9007199254740993'::bigint), '$1', (E'a'::text)";
    QTest::newRow("a quote") << QVariant{1} << QVariant{QString{"O'Hara"}}
                             << "SELECT (E'1'::bigint), '$1', (E'O''Hara'::text)";
    QTest::newRow("a backslash before a quote")
        << QVariant{1} << QVariant{QString{"\\'; DROP TABLE users; --"}}
        << "SELECT (E'1'::bigint), '$1', (E'\\\\''; DROP TABLE users; --'::text)";
    QTest::newRow("a text that names a parameter")
        << QVariant{1} << QVariant{QString{"$1"}} << "SELECT (E'1'::bigint), '$1', (E'$1'::text)";
    QTest::newRow("null") << QVariant{} << QVariant{} << "SELECT NULL::bigint, '$1', NULL::text";
}

void TstBoundStatement::writesValuesAsTypedLiterals()
{
    QFETCH(QVariant, number);
    QFETCH(QVariant, text);
    QFETCH(QString, bound);
    const auto result = ui::boundText(kTwo, {number, text});
    QVERIFY(result);
    QCOMPARE(*result, bound);
}

void TstBoundStatement::writesArraysAndOctets()
{
    const auto result = ui::boundText(kArrays,
        {QVariantList{qint64{1}, qint64{2}}, QStringList{"a,\"b\"", "c'"},
            QByteArray{"\x00\xff", 2}});
    QVERIFY(result);
    QCOMPARE(*result,
        QString{"SELECT (E'{\"1\",\"2\"}'::bigint[]), (E'{\"a,\\\\\"b\\\\\"\",\"c''\"}'::text[]), "
                "(E'\\\\x00ff'::bytea)"});
}

void TstBoundStatement::refusesWhatPostgresCannotHold()
{
    const auto result = ui::boundText(kTwo, {1, QString{"a"} + QChar{u'\0'}});
    QVERIFY(!result);
    QCOMPARE(result.error().kind, base::ErrorKind::Invalid);
}

QTEST_GUILESS_MAIN(TstBoundStatement)
#include "tst_bound_statement.moc"
