#include "ui/data/moment.h"

#include <QTest>

class TstMoment : public QObject
{
    Q_OBJECT

private slots:
    void readsWhatPostgresPrints_data();
    void readsWhatPostgresPrints();
    void neverShowsLaterThanItWas();
};

void TstMoment::readsWhatPostgresPrints_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("moment"); // empty: none

    QTest::newRow("microseconds") << "2026-12-01 03:56:11.123456+00"
                                  << "2026-12-01T03:56:11.123456Z";
    QTest::newRow("trailing zeros cut") << "2026-12-01 03:56:11.5+00"
                                        << "2026-12-01T03:56:11.500000Z";
    QTest::newRow("whole second") << "2026-12-01 03:56:11+00"
                                  << "2026-12-01T03:56:11.000000Z";
    QTest::newRow("before 1970") << "1969-12-31 23:59:59.999999+00"
                                 << "1969-12-31T23:59:59.999999Z";
    QTest::newRow("another zone") << "2026-12-01 03:56:11+03"
                                  << "";
    QTest::newRow("infinity") << "infinity"
                              << "";
    QTest::newRow("nothing") << ""
                             << "";
    QTest::newRow("no digits") << "2026-12-01 03:56:11.12x456+00"
                               << "";
}

void TstMoment::readsWhatPostgresPrints()
{
    QFETCH(QString, text);
    QFETCH(QString, moment);
    const auto read = ui::Moment::fromDatabase(text);
    QCOMPARE(read.has_value(), !moment.isEmpty());
    if (read) QCOMPARE(read->toText(), moment);
}

void TstMoment::neverShowsLaterThanItWas()
{
    QCOMPARE(ui::Moment{-1}.toDateTime().toMSecsSinceEpoch(), qint64{-1});
    QCOMPARE(ui::Moment{1'999}.toDateTime().toMSecsSinceEpoch(), qint64{1});
}

QTEST_GUILESS_MAIN(TstMoment)
#include "tst_moment.moc"
