// The style sheet: tokens are replaced whole, and what it names exists.
#include "tests/support/ends_process.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/resources.h"
#include "ui/widgets/style_sheet.h"
#include "ui/widgets/theme.h"

#include <QTest>

class TestStyleSheet : public QObject
{
    Q_OBJECT

private slots:
    void aTokenIsReplacedWhole();
    void sizesFollowTheFont();
    void anUnknownTokenEndsTheProcess();
    void everyDrawingItNamesExists();
    void qtUnderstandsIt();
};

namespace {

ui::Fonts pictureFonts()
{
    return ui::Fonts::make(QFont{}, ui::Fonts::Families::Pictures);
}

} // namespace

void TestStyleSheet::aTokenIsReplacedWhole()
{
    const ui::Theme theme = ui::Theme::light();
    QCOMPARE(ui::filled("a{color:@surface;background:@surfaceAlt}", theme, pictureFonts()),
        QString{"a{color:#ffffff;background:#f8f9fb}"});
    QCOMPARE(ui::filled("check-@scheme.svg", theme, pictureFonts()), QString{"check-light.svg"});
}

void TestStyleSheet::sizesFollowTheFont()
{
    QFont big;
    big.setPixelSize(26);
    const ui::Fonts fonts = ui::Fonts::make(big, ui::Fonts::Families::Pictures);
    QCOMPARE(ui::filled("@bodyPx @smallPx @valuePx", ui::Theme::light(), fonts),
        QString{"26px 24px 40px"});
}

void TestStyleSheet::anUnknownTokenEndsTheProcess()
{
    QVERIFY(support::endsProcess(
        [] { (void)ui::filled("a{color:@sufrace}", ui::Theme::light(), pictureFonts()); }));
}

void TestStyleSheet::everyDrawingItNamesExists()
{
    for (const ui::Theme& theme : {ui::Theme::light(), ui::Theme::dark()}) {
        const QString sheet = ui::filledStyleSheet(theme, pictureFonts());
        const QRegularExpression url{R"(url\((:[^)]+)\))"};
        int found = 0;
        for (auto at = url.globalMatch(sheet); at.hasNext(); ++found) {
            const QString path = at.next().captured(1);
            QVERIFY2(QFile::exists(path), qPrintable(path));
        }
        QVERIFY(found > 3);
    }
}

void TestStyleSheet::qtUnderstandsIt()
{
    static QStringList s_complaints;
    const auto before = qInstallMessageHandler(
        [](QtMsgType, const QMessageLogContext&, const QString& text) { s_complaints << text; });
    ui::applyTheme(*qApp, ui::Theme::dark(), pictureFonts());
    QLineEdit field;
    QPushButton button{"Cancel"};
    ui::setLook(button, "primary");
    field.ensurePolished();
    button.ensurePolished();
    qInstallMessageHandler(before);
    QCOMPARE(s_complaints, QStringList{});
    QCOMPARE(button.property("look").toString(), QString{"primary"});
}

QTEST_MAIN(TestStyleSheet)
#include "tst_style_sheet.moc"
