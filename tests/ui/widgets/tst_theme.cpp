// The theme: every promised contrast and colour distance is computed again, and every role is set.
#include "tests/ui/widgets/color_science.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/theme.h"

#include <QTest>

#include <cmath>
#include <limits>

using color::contrast;
using color::Sight;
using ui::Environment;
using ui::StateKind;
using ui::Theme;

class TestTheme : public QObject
{
    Q_OBJECT

private slots:
    void theArithmeticIsRight();
    void contrastIsAsPromised_data();
    void contrastIsAsPromised();
    void statesStayApart_data();
    void statesStayApart();
    void moneyAndSeriesStayApart_data();
    void moneyAndSeriesStayApart();
    void highContrastDrawsEdges();
    void everyPaletteRoleIsSet();
    void applyingGivesTheWholeApplicationTheLook();
    void aTokenHasOneMeaning();
    void aDarkDesktopIsSeen();
};

namespace {

QColor byName(const Theme& theme, const char* token)
{
    const QColor found = theme.token(QString::fromLatin1(token));
    if (!found.isValid()) {
        qFatal("no token %s", token);
    }
    return found;
}

double oneDecimal(double value)
{
    return std::round(value * 10) / 10;
}

double closest(const std::vector<QColor>& colors, Sight sight)
{
    double least = std::numeric_limits<double>::max();
    for (std::size_t i = 0; i < colors.size(); ++i) {
        for (std::size_t j = i + 1; j < colors.size(); ++j) {
            least = std::min(least,
                color::difference(color::seen(colors[i], sight), color::seen(colors[j], sight)));
        }
    }
    return least;
}

} // namespace

void TestTheme::theArithmeticIsRight()
{
    QCOMPARE(contrast(Qt::black, Qt::white), 21.0);
    QCOMPARE(oneDecimal(contrast(QColor{"#767676"}, Qt::white)), 4.5);
    QCOMPARE(color::difference(Qt::red, Qt::red), 0.0);
    // Black to white is 100 in lightness and nothing else.
    QCOMPARE(oneDecimal(color::difference(Qt::black, Qt::white)), 100.0);
    // Known from CIEDE2000 implementations: pure red to pure green in sRGB.
    QCOMPARE(oneDecimal(color::difference(QColor{"#FF0000"}, QColor{"#00FF00"})), 86.6);
}

void TestTheme::contrastIsAsPromised_data()
{
    QTest::addColumn<QString>("front");
    QTest::addColumn<QString>("ground");
    QTest::addColumn<double>("light");
    QTest::addColumn<double>("dark");
    const auto row = [](const char* front, const char* ground, double light, double dark) {
        QTest::addRow("%s on %s", front, ground) << front << ground << light << dark;
    };

    row("control", "surface", 3.6, 4.3);
    row("control", "window", 3.3, 4.7);
    row("text", "surface", 16.2, 14.0);
    row("text", "selection", 12.8, 9.6);
    row("muted", "surface", 6.4, 7.4);
    row("muted", "selection", 5.0, 5.1);
    row("disabled", "surface", 3.0, 3.4);
    row("accent", "surface", 6.6, 7.1);
    row("onAccent", "accent", 6.6, 7.8);
    row("link", "surface", 7.3, 8.1);
    row("link", "selection", 5.8, 5.6);
    row("c1", "surface", 6.6, 7.1);
    row("c2", "surface", 4.6, 8.3);
    row("c3", "surface", 4.4, 8.3);
    row("okText", "surface", 6.5, 9.1);
    row("infoText", "surface", 6.9, 8.0);
    row("waitingText", "surface", 8.7, 10.0);
    row("warningText", "surface", 6.8, 9.4);
    row("dangerText", "surface", 7.3, 7.6);
    row("unknownText", "surface", 6.7, 8.2);
    row("okText", "okSoft", 5.6, 7.4);
    row("infoText", "infoSoft", 5.8, 6.7);
    row("waitingText", "waitingSoft", 7.2, 8.6);
    row("warningText", "warningSoft", 6.0, 7.7);
    row("dangerText", "dangerSoft", 6.1, 6.8);
    row("unknownText", "unknownSoft", 5.7, 6.8);
    row("okFill", "surface", 4.0, 6.7);
    row("infoFill", "surface", 4.0, 4.4);
    row("waitingFill", "surface", 9.3, 10.0);
    row("warningFill", "surface", 3.5, 7.8);
    row("dangerFill", "surface", 6.6, 4.3);
    row("unknownFill", "surface", 3.8, 5.2);
    row("moneyIn", "surface", 6.5, 9.1);
    row("moneyOut", "surface", 6.8, 6.7);
    row("productionText", "surface", 8.6, 7.4);
    row("productionText", "productionSoft", 7.1, 6.8);
    row("productionFill", "surface", 8.6, 3.1);
    row("onProduction", "productionFill", 8.6, 5.3);
    row("stagingText", "surface", 6.7, 8.3);
    row("stagingText", "stagingSoft", 5.8, 6.6);
    row("stagingFill", "surface", 6.7, 8.3);
}

void TestTheme::contrastIsAsPromised()
{
    QFETCH(QString, front);
    QFETCH(QString, ground);
    QFETCH(double, light);
    QFETCH(double, dark);

    const auto ratio = [&](const Theme& theme) {
        return oneDecimal(contrast(byName(theme, qPrintable(front)), //
            byName(theme, qPrintable(ground))));
    };
    QCOMPARE(ratio(Theme::light()), light);
    QCOMPARE(ratio(Theme::dark()), dark);

    // High contrast never takes legibility away.
    QVERIFY(ratio(Theme::light(true)) >= std::min(light, 4.5));
    QVERIFY(ratio(Theme::dark(true)) >= std::min(dark, 4.5) || front == "productionFill");
}

void TestTheme::statesStayApart_data()
{
    QTest::addColumn<Sight>("sight");
    QTest::addColumn<double>("light");
    QTest::addColumn<double>("dark");

    QTest::newRow("protanopia") << Sight::Protanopia << 15.7 << 16.4;
    QTest::newRow("deuteranopia") << Sight::Deuteranopia << 16.2 << 14.7;
    QTest::newRow("normal sight") << Sight::Normal << 16.6 << 16.7;
}

void TestTheme::statesStayApart()
{
    QFETCH(Sight, sight);
    QFETCH(double, light);
    QFETCH(double, dark);

    const auto fills = [](const Theme& theme) {
        std::vector<QColor> colors;
        for (const ui::Tone& tone : theme.states) {
            colors.push_back(tone.fill);
        }
        return colors;
    };
    QCOMPARE(oneDecimal(closest(fills(Theme::light()), sight)), light);
    QCOMPARE(oneDecimal(closest(fills(Theme::dark()), sight)), dark);
}

void TestTheme::moneyAndSeriesStayApart_data()
{
    QTest::addColumn<bool>("isDark");

    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
}

void TestTheme::moneyAndSeriesStayApart()
{
    QFETCH(bool, isDark);
    const Theme theme = isDark ? Theme::dark() : Theme::light();
    double money = std::numeric_limits<double>::max();
    double series = money;
    for (const Sight sight : {Sight::Normal, Sight::Protanopia, Sight::Deuteranopia}) {
        money = std::min(money, closest({theme.moneyIn, theme.moneyOut}, sight));
        series = std::min(series, closest({theme.c1, theme.c2, theme.c3}, sight));
    }
    QVERIFY2(oneDecimal(money) >= (isDark ? 17.7 : 14.0), qPrintable(QString::number(money)));
    QVERIFY2(oneDecimal(series) >= 17.3, qPrintable(QString::number(series)));
}

void TestTheme::highContrastDrawsEdges()
{
    for (const Theme& theme : {Theme::light(true), Theme::dark(true)}) {
        QCOMPARE(theme.border, theme.control);
        for (const StateKind kind : ui::kStateKinds) {
            QCOMPARE(theme.of(kind).soft, theme.surface);
        }
    }
}

void TestTheme::everyPaletteRoleIsSet()
{
    // A role that is left out comes from the desktop: black on black under a dark one.
    const Theme theme = Theme::dark();
    const QPalette palette = theme.palette();
    for (int role = 0; role < QPalette::NColorRoles; ++role) {
        if (role != QPalette::NoRole) {
            QVERIFY2(palette.isBrushSet(QPalette::Active, QPalette::ColorRole(role)),
                qPrintable(QString::number(role)));
        }
    }
    QCOMPARE(palette.color(QPalette::Window), theme.window);
    QCOMPARE(palette.color(QPalette::HighlightedText), theme.text);
    QCOMPARE(palette.color(QPalette::LinkVisited), theme.of(StateKind::Waiting).text);
    QCOMPARE(palette.color(QPalette::Disabled, QPalette::Text), theme.disabled);
    QCOMPARE(palette.color(QPalette::Disabled, QPalette::Highlight), theme.header);
}

void TestTheme::applyingGivesTheWholeApplicationTheLook()
{
    const ui::Fonts fonts = ui::Fonts::make(QFont{}, ui::Fonts::Families::Pictures);
    for (const Theme& theme : {Theme::dark(), Theme::light()}) {
        ui::applyTheme(*qApp, theme, fonts);
        QPushButton button{"Replay"};
        button.ensurePolished();
        QCOMPARE(ui::currentTheme().isDark, theme.isDark);
        QCOMPARE(button.palette().color(QPalette::ButtonText), theme.text);
        QCOMPARE(QApplication::font().pixelSize(), fonts.body.pixelSize());
        QVERIFY(qApp->styleSheet().contains(theme.accent.name()));
        QVERIFY(!qApp->styleSheet().contains('@'));
    }
}

void TestTheme::aTokenHasOneMeaning()
{
    const Theme theme = Theme::light();
    QCOMPARE(theme.token(u"surface"), theme.surface);
    QCOMPARE(theme.token(u"surfaceAlt"), theme.surfaceAlt);
    QCOMPARE(theme.token(u"dangerSoft"), theme.of(StateKind::Danger).soft);
    QCOMPARE(theme.token(u"stagingText"), theme.of(Environment::Staging).text);
    QVERIFY(!theme.token(u"surfac").isValid());
    QVERIFY(!theme.token(u"").isValid());
}

void TestTheme::aDarkDesktopIsSeen()
{
    QVERIFY(ui::isDarkPalette(Theme::dark().palette()));
    QVERIFY(!ui::isDarkPalette(Theme::light().palette()));
}

QTEST_MAIN(TestTheme)
#include "tst_theme.moc"
