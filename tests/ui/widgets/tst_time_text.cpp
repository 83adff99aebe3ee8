// Times: the today rule, zones, milliseconds, ISO, durations; unknown is said.
#include "ui/widgets/resources.h"
#include "ui/widgets/time_text.h"

#include <QTest>

using namespace std::chrono_literals;
using ui::Zone;
namespace time_text = ui::time_text;

class TestTimeText : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void todayHasNoDate();
    void todayIsThatOfTheZone();
    void millisecondsAndIso();
    void unknownIsSaid();
    void zonesAreNamed();
    void durations_data();
    void durations();
    void inRussian();
};

namespace {

QDateTime utc(int year, int month, int day, int hour, int minute, int second, int ms = 0)
{
    return {QDate{year, month, day}, QTime{hour, minute, second, ms}, Qt::UTC};
}

const QDateTime kNow = utc(2026, 3, 18, 14, 26, 8);

} // namespace

void TestTimeText::initTestCase()
{
    qputenv("TZ", "Asia/Tokyo"); // always nine hours ahead
    QLocale::setDefault(QLocale{"en_US"});
}

void TestTimeText::todayHasNoDate()
{
    QCOMPARE(time_text::shown(utc(2026, 3, 18, 14, 19, 44), kNow, Zone::Utc), QString{"14:19:44"});
    QCOMPARE(time_text::shown(utc(2026, 3, 17, 14, 19, 44), kNow, Zone::Utc),
        QString{"Mar 17 14:19:44"});
    QCOMPARE(time_text::shown(utc(2025, 12, 1, 0, 0, 1), kNow, Zone::Utc),
        QString{"2025-12-01 00:00:01"});
}

void TestTimeText::todayIsThatOfTheZone()
{
    // 16:00 UTC is one o'clock tomorrow in Tokyo.
    QCOMPARE(time_text::shown(utc(2026, 3, 18, 16, 0, 0), kNow, Zone::Utc), QString{"16:00:00"});
    QCOMPARE(time_text::shown(utc(2026, 3, 18, 16, 0, 0), kNow, Zone::Local),
        QString{"Mar 19 01:00:00"});
}

void TestTimeText::millisecondsAndIso()
{
    const QDateTime at = utc(2026, 3, 18, 14, 2, 11, 408);
    QCOMPARE(time_text::shown(at, kNow, Zone::Utc, time_text::Precision::Milliseconds),
        QString{"14:02:11.408"});
    QCOMPARE(time_text::full(at, Zone::Utc), QString{"2026-03-18 14:02:11.408"});
    QCOMPARE(time_text::iso(at), QString{"2026-03-18T14:02:11.408Z"});
    QCOMPARE(time_text::iso(at.toLocalTime()), QString{"2026-03-18T14:02:11.408Z"});
}

void TestTimeText::unknownIsSaid()
{
    QCOMPARE(time_text::shown({}, kNow, Zone::Utc), QString{"not known"});
    QCOMPARE(time_text::full({}, Zone::Utc), QString{"not known"});
    QCOMPARE(time_text::withZone({}, kNow, Zone::Utc), QString{"not known"});
    QCOMPARE(time_text::iso({}), QString{});
}

void TestTimeText::zonesAreNamed()
{
    QCOMPARE(time_text::withZone(kNow, kNow, Zone::Utc), QString{"14:26:08 UTC"});
    QCOMPARE(time_text::withZone(kNow, kNow, Zone::Local), QString{"23:26:08 UTC+09:00"});
}

void TestTimeText::durations_data()
{
    QTest::addColumn<qint64>("ms");
    QTest::addColumn<QString>("text");

    QTest::newRow("nothing") << qint64{0} << "0.0 s";
    QTest::newRow("tenths") << qint64{270} << "0.2 s";
    QTest::newRow("seconds") << qint64{42'999} << "42 s";
    QTest::newRow("minutes") << qint64{702'000} << "11 min 42 s";
    QTest::newRow("minutes, few seconds") << qint64{1'684'000} << "28 min 04 s";
    QTest::newRow("hours") << qint64{3'840'000} << "1 h 04 min";
    QTest::newRow("days") << qint64{(3 * 24 + 4) * 3'600'000} << "3 d 4 h";
    QTest::newRow("a clock that ran backwards") << qint64{-5'000} << "0.0 s";
}

void TestTimeText::durations()
{
    QFETCH(qint64, ms);
    QFETCH(QString, text);
    QCOMPARE(time_text::duration(std::chrono::milliseconds{ms}), text);
}

void TestTimeText::inRussian()
{
    const auto translator = ui::makeTranslator(QLocale::Russian);
    QCoreApplication::installTranslator(translator.get());
    QLocale::setDefault(QLocale{"ru_RU"});
    QCOMPARE(time_text::duration(702s), QString{"11 мин 42 с"});
    QCOMPARE(time_text::duration(270ms), QString{"0,2 с"});
    QCOMPARE(time_text::shown({}, kNow, Zone::Utc), QString{"не известно"});
    QVERIFY(time_text::shown(utc(2026, 3, 17, 14, 19, 44), kNow, Zone::Utc).startsWith("17 мар"));
    QLocale::setDefault(QLocale{"en_US"});
}

QTEST_MAIN(TestTimeText)
#include "tst_time_text.moc"
