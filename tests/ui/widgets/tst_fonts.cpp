// Type: what is measured before a family may show amounts, and the sizes of each use.
#include "ui/widgets/fonts.h"

#include <QTest>

using ui::Fonts;

class TestFonts : public QObject
{
    Q_OBJECT

private slots:
    void ownFamilyIsFit();
    void aFamilyWithoutCyrillicIsNot();
    void digitsOfEveryAmountFontAreEqual();
    void sizesAreThoseOfTheDesign();
    void sizesFollowTheSystemButNeverFallBelow13();
    void rowsHaveOneHeight();
};

void TestFonts::ownFamilyIsFit()
{
    QVERIFY2(QFontDatabase::families().contains("Open Sans"), "fonts-open-sans is not installed");
    QVERIFY(ui::isFit("Open Sans"));
    QVERIFY(ui::isFit("Noto Sans Mono"));
}

void TestFonts::aFamilyWithoutCyrillicIsNot()
{
    QVERIFY(!ui::isFit("No Such Family At All"));
}

void TestFonts::digitsOfEveryAmountFontAreEqual()
{
    const Fonts fonts = Fonts::make(QFont{}, Fonts::Families::Pictures);
    QCOMPARE(QFontInfo{fonts.body}.family(), QString{"Open Sans"});
    for (const QFont& font : {fonts.body, fonts.bold, fonts.value, fonts.mono, fonts.monoSmall}) {
        const QFontMetricsF metrics{font};
        for (char digit = '1'; digit <= '9'; ++digit) {
            QVERIFY(std::abs(metrics.horizontalAdvance(QChar{digit})
                        - metrics.horizontalAdvance(QChar{'0'}))
                < 0.02);
        }
    }
}

void TestFonts::sizesAreThoseOfTheDesign()
{
    QFont system;
    system.setPixelSize(13);
    const Fonts fonts = Fonts::make(system, Fonts::Families::Pictures);
    QCOMPARE(fonts.body.pixelSize(), 13);
    QCOMPARE(fonts.small.pixelSize(), 12);
    QCOMPARE(fonts.label.pixelSize(), 11);
    QCOMPARE(fonts.value.pixelSize(), 20);
    QCOMPARE(fonts.pageTitle.pixelSize(), 19);
    QCOMPARE(fonts.dialogTitle.pixelSize(), 17);
    QCOMPARE(fonts.value.weight(), QFont::DemiBold);
    QCOMPARE(fonts.body.weight(), QFont::Normal);
}

void TestFonts::sizesFollowTheSystemButNeverFallBelow13()
{
    QFont small;
    small.setPixelSize(9);
    QCOMPARE(Fonts::make(small, Fonts::Families::Pictures).body.pixelSize(), 13);
    QFont large;
    large.setPixelSize(26);
    const Fonts fonts = Fonts::make(large, Fonts::Families::Pictures);
    QCOMPARE(fonts.body.pixelSize(), 26);
    QCOMPARE(fonts.value.pixelSize(), 40);
}

void TestFonts::rowsHaveOneHeight()
{
    QFont system;
    system.setPixelSize(13);
    const QFont body = Fonts::make(system, Fonts::Families::Pictures).body;
    QCOMPARE(ui::rowHeight(body, ui::Density::Compact), 27);
    QCOMPARE(ui::rowHeight(body, ui::Density::Comfortable), 32);
}

QTEST_MAIN(TestFonts)
#include "tst_fonts.moc"
