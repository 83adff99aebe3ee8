#include "processor/pg/sql_state.h"

#include <QTest>

using base::ErrorKind;

class TstSqlState : public QObject
{
    Q_OBJECT

private slots:
    void saysWhatTheCallerDoesNext_data();
    void saysWhatTheCallerDoesNext();
};

void TstSqlState::saysWhatTheCallerDoesNext_data()
{
    QTest::addColumn<QString>("code");
    QTest::addColumn<int>("kind");
    const auto row = [](const char* what, const char* code, ErrorKind kind) {
        QTest::newRow(what) << code << int(kind);
    };

    row("connection failure", "08006", ErrorKind::Unavailable);
    row("protocol violation", "08P01", ErrorKind::Unavailable);
    row("read-only server", "25006", ErrorKind::Unavailable);
    row("admin shutdown", "57P01", ErrorKind::Unavailable);
    row("crash shutdown", "57P02", ErrorKind::Unavailable);
    row("cannot connect now", "57P03", ErrorKind::Unavailable);
    row("too many connections", "53300", ErrorKind::Unavailable);
    row("disk full", "53100", ErrorKind::Unavailable);
    row("idle in transaction too long", "25P03", ErrorKind::Unavailable);

    row("serialization failure", "40001", ErrorKind::Conflict);
    row("deadlock", "40P01", ErrorKind::Conflict);
    row("lock not available", "55P03", ErrorKind::Conflict);
    row("statement timeout", "57014", ErrorKind::Conflict);

    row("number out of range", "22003", ErrorKind::Invalid);
    row("bad text", "22P02", ErrorKind::Invalid);
    row("unique violation", "23505", ErrorKind::Invalid);
    row("check violation", "23514", ErrorKind::Invalid);
    row("refused: same person", "CS002", ErrorKind::Invalid);

    row("no such table", "42P01", ErrorKind::Corrupt);
    row("no right", "42501", ErrorKind::Corrupt);
    row("damaged data", "XX001", ErrorKind::Corrupt);
    row("failed transaction used", "25P02", ErrorKind::Corrupt);
    row("database dropped", "57P04", ErrorKind::Corrupt);
    row("object in use", "55006", ErrorKind::Corrupt);
    row("never heard of", "ZZ999", ErrorKind::Corrupt);
    row("empty", "", ErrorKind::Corrupt);
}

void TstSqlState::saysWhatTheCallerDoesNext()
{
    QFETCH(QString, code);
    QFETCH(int, kind);

    QCOMPARE(int(pg::kindOfSqlState(code.toStdString())), kind);
}

QTEST_APPLESS_MAIN(TstSqlState)
#include "tst_sql_state.moc"
