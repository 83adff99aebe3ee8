// Icons: each drawing exists, follows the rules, has the theme's colour and the screen's sharpness.
#include "ui/widgets/fonts.h"
#include "ui/widgets/icon_names.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/resources.h"
#include "ui/widgets/theme.h"

#include <QTest>

#include <set>

using ui::Icon;
using ui::IconTone;
using ui::StateKind;

class TestIcons : public QObject
{
    Q_OBJECT

private slots:
    void everyDrawingIsNamedAndEveryNameDrawn();
    void drawingsCarryOnlyThePlaceholder();
    void anIconHasTheColourOfItsRole();
    void itFollowsTheTheme();
    void itIsSharpOnADenseScreen();
    void aStateHasAShapeOfItsOwn();
};

namespace {

// Strokes are blended with nothing at their edges: the most opaque pixel has the pure colour.
QColor strokeColor(const QPixmap& pixmap)
{
    const QImage image = pixmap.toImage().convertToFormat(QImage::Format_ARGB32);
    QColor best{Qt::transparent};
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const QColor here = image.pixelColor(x, y);
            if (here.alpha() > best.alpha()) {
                best = here;
            }
        }
    }
    best.setAlpha(255);
    return best;
}

bool isNear(const QColor& one, const QColor& other)
{
    return std::abs(one.red() - other.red()) <= 3 && std::abs(one.green() - other.green()) <= 3
        && std::abs(one.blue() - other.blue()) <= 3;
}

void apply(const ui::Theme& theme)
{
    ui::applyTheme(*qApp, theme, ui::Fonts::make(QFont{}, ui::Fonts::Families::Pictures));
}

} // namespace

void TestIcons::everyDrawingIsNamedAndEveryNameDrawn()
{
    ui::loadResources();
    QStringList files = QDir{":/icons"}.entryList({"*.svg"});
    QStringList names;
    for (const char* name : ui::kIconNames) {
        names << QString{name} + ".svg";
    }
    files.sort();
    names.sort();
    QCOMPARE(files, names);
    for (std::size_t i = 0; i < ui::kIconNames.size(); ++i) {
        const QPixmap pixmap = ui::iconPixmap(Icon(i), Qt::red, 20, 1);
        QVERIFY2(isNear(strokeColor(pixmap), Qt::red), ui::kIconNames[i]);
    }
}

void TestIcons::drawingsCarryOnlyThePlaceholder()
{
    const QRegularExpression color{"#[0-9A-Fa-f]{3,6}"};
    for (const char* name : ui::kIconNames) {
        QFile file{QString{":/icons/%1.svg"}.arg(name)};
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(file.readAll());
        int found = 0;
        for (auto at = color.globalMatch(text); at.hasNext(); ++found) {
            QCOMPARE(at.next().captured(), QString{"#556072"});
        }
        QVERIFY2(found > 0, name);
        QVERIFY2(text.contains("stroke-width=\"1.5\""), name);
        QVERIFY2(text.contains("viewBox=\"0 0 20 20\""), name);
        QVERIFY2(!text.contains("<text"), name);
    }
}

void TestIcons::anIconHasTheColourOfItsRole()
{
    apply(ui::Theme::light());
    const ui::Theme& theme = ui::currentTheme();
    const QIcon muted = ui::icon(Icon::Refresh, IconTone::Muted);
    const QSize size{20, 20};
    QVERIFY(isNear(strokeColor(muted.pixmap(size)), theme.muted));
    QVERIFY(isNear(strokeColor(muted.pixmap(size, QIcon::Disabled)), theme.disabled));
    QVERIFY(isNear(strokeColor(muted.pixmap(size, QIcon::Selected)), theme.text));
    const QIcon warning = ui::icon(Icon::Warning, IconTone::Warning);
    QVERIFY(isNear(strokeColor(warning.pixmap(size)), theme.of(StateKind::Warning).fill));
    // On a selected row the fill would fall below 3:1.
    QVERIFY(isNear(
        strokeColor(warning.pixmap(size, QIcon::Selected)), theme.of(StateKind::Warning).text));
}

void TestIcons::itFollowsTheTheme()
{
    apply(ui::Theme::light());
    const QIcon icon = ui::icon(Icon::Lock);
    QVERIFY(isNear(strokeColor(icon.pixmap(QSize{20, 20})), ui::Theme::light().text));
    apply(ui::Theme::dark());
    QVERIFY(isNear(strokeColor(icon.pixmap(QSize{20, 20})), ui::Theme::dark().text));
}

void TestIcons::itIsSharpOnADenseScreen()
{
    const QPixmap dense = ui::iconPixmap(Icon::Ok, Qt::black, 16, 2);
    QCOMPARE(dense.size(), QSize(32, 32));
    QCOMPARE(dense.devicePixelRatio(), 2.0);
    const QPixmap asked = ui::icon(Icon::Ok).pixmap(QSize{16, 16}, 2);
    QCOMPARE(asked.size(), QSize(32, 32));
    QCOMPARE(asked.devicePixelRatio(), 2.0);
}

void TestIcons::aStateHasAShapeOfItsOwn()
{
    std::set<Icon> shapes;
    for (const StateKind kind : ui::kStateKinds) {
        shapes.insert(ui::iconOf(kind));
        QCOMPARE(ui::toneColor(ui::fillTone(kind)), ui::currentTheme().of(kind).fill);
        QCOMPARE(ui::toneColor(ui::textTone(kind)), ui::currentTheme().of(kind).text);
    }
    QCOMPARE(shapes.size(), ui::kStateKinds.size());
}

QTEST_MAIN(TestIcons)
#include "tst_icons.moc"
