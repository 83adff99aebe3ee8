// Around a table: strip, bound line, loading line, state view, tiles, badge.
#include "tests/ui/widgets/cells.h"
#include "tests/ui/widgets/look.h"
#include "ui/widgets/bound_line.h"
#include "ui/widgets/loading_line.h"
#include "ui/widgets/new_rows_strip.h"
#include "ui/widgets/stat_tile.h"
#include "ui/widgets/state_badge.h"
#include "ui/widgets/state_view.h"

#include <QTest>

using namespace std::chrono_literals;
using ui::Bound;

class TestListParts : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void theStripKeepsItsRoomWhileLive();
    void theStripIsPressedByKey();
    void aBoundIsSaid_data();
    void aBoundIsSaid();
    void aBoundThatHidesRowsWarns();
    void loadingIsSaidAfterAWhile();
    void aStateViewHasAtMostOneButton();
    void aTileIsAButtonWithAWholeName();
    void anUnknownTileSaysSo();
    void aBadgeNamesItsState();
};

void TestListParts::initTestCase()
{
    look::apply();
    look::speak(QLocale::English);
}

void TestListParts::theStripKeepsItsRoomWhileLive()
{
    ui::NewRowsStrip strip;
    strip.setLive(true);
    QCOMPARE(strip.height(), 28);
    QVERIFY(strip.isVisible());
    QVERIFY(!strip.isEnabled()); // empty: nothing to press, but the room is there
    strip.setCount(12);
    QCOMPARE(strip.height(), 28);
    QCOMPARE(strip.text(), QString{"12 new – show them"});
    strip.setLive(false);
    QVERIFY(strip.isHidden());
}

void TestListParts::theStripIsPressedByKey()
{
    ui::NewRowsStrip strip;
    QSignalSpy clicked{&strip, &QAbstractButton::clicked};
    strip.setCount(1);
    QTest::keyClick(&strip, Qt::Key_Return);
    QTest::keyClick(&strip, Qt::Key_Space);
    QCOMPARE(clicked.size(), 2);
    strip.setCount(0);
    QCOMPARE(strip.focusPolicy(), Qt::NoFocus);
    QCOMPARE(strip.accessibleName(), QString{"No new rows"});
}

void TestListParts::aBoundIsSaid_data()
{
    QTest::addColumn<Bound>("bound");
    QTest::addColumn<QString>("text");

    QTest::newRow("more below")
        << Bound{50, true, "searched the last 30 days, 2,104,377 rows", 1400ms}
        << "Rows 1–50 loaded, more below · searched the last 30 days, 2,104,377 rows · 1.4 s · "
           "complete";
    QTest::newRow("all") << Bound{5, false, {}, 18ms} << "Rows 1–5 of 5 · 18 ms · complete";
    QTest::newRow("none") << Bound{0, false, "searched all", 2ms}
                          << "No rows · searched all · 2 ms · complete";
    QTest::newRow("stopped") << Bound{3, false, {}, 5000ms, Bound::End::StoppedByTime}
                             << "Rows 1–3 of 3 · 5.0 s · stopped, older rows not searched";
}

void TestListParts::aBoundIsSaid()
{
    QFETCH(Bound, bound);
    QFETCH(QString, text);
    QCOMPARE(ui::textOf(bound), text);
}

void TestListParts::aBoundThatHidesRowsWarns()
{
    ui::BoundLine line;
    QCOMPARE(line.height(), 28);
    line.setBound({3, false, {}, 5000ms, Bound::End::StoppedByTime});
    QVERIFY(line.isWarning());
    line.setBound({3, false, {}, 5ms});
    QVERIFY(!line.isWarning());
    QCOMPARE(line.accessibleName(), line.text());
}

void TestListParts::loadingIsSaidAfterAWhile()
{
    ui::LoadingLine line;
    const int height = line.height();
    line.begin("PostgreSQL");
    QVERIFY(!line.isShowing()); // what is answered at once does not flicker
    QTRY_VERIFY(line.isShowing());
    QVERIFY(line.text().startsWith("Asking PostgreSQL, 0."));
    QCOMPARE(line.height(), height);
    QSignalSpy cancelled{&line, &ui::LoadingLine::cancelRequested};
    line.findChild<QPushButton*>()->click();
    QCOMPARE(cancelled.size(), 1);
    line.end();
    QVERIFY(!line.isShowing());
}

void TestListParts::aStateViewHasAtMostOneButton()
{
    ui::StateView view;
    QSignalSpy clicked{&view, &ui::StateView::buttonClicked};
    view.show(ui::StateView::Kind::Error, "PostgreSQL refused the connection.",
        "It may be restarting.", "Retry", "E-7f31");
    QStringList visible;
    for (auto* button : view.findChildren<QPushButton*>()) {
        if (!button->isHidden()) {
            visible << button->text();
        }
    }
    visible.sort();
    QCOMPARE(visible, QStringList({"E-7f31", "Retry"}));
    for (auto* button : view.findChildren<QPushButton*>()) {
        button->click();
    }
    QCOMPARE(clicked.size(), 1);
    QCOMPARE(QGuiApplication::clipboard()->text(), QString{"E-7f31"});

    view.show(ui::StateView::Kind::Empty, "No open dead letters.", "Searched all, 14:26:08 UTC.");
    for (auto* button : view.findChildren<QPushButton*>()) {
        QVERIFY(button->isHidden());
    }
    QCOMPARE(view.accessibleName(), QString{"No open dead letters. Searched all, 14:26:08 UTC."});
}

namespace {

ui::TileContent deadLetters()
{
    return {.icon = ui::Icon::DeadLetters,
        .name = "Dead letters",
        .state = ui::stateWord(ui::WordSet::Health, u"critical"),
        .value = "3,431 open",
        .why = "12 new since 13:40 · 5 causes",
        .time = "14:26:08",
        .timeWithZone = "14:26:08 UTC"};
}

} // namespace

void TestListParts::aTileIsAButtonWithAWholeName()
{
    ui::StatTile tile;
    tile.setContent(deadLetters());
    QCOMPARE(
        tile.accessibleName(), QString{"Dead letters, critical, 3,431 open, as of 14:26:08 UTC"});
    QCOMPARE(tile.sizeHint().height(), 90);
    QSignalSpy clicked{&tile, &QAbstractButton::clicked};
    QTest::keyClick(&tile, Qt::Key_Return);
    QCOMPARE(clicked.size(), 1);
}

void TestListParts::anUnknownTileSaysSo()
{
    ui::StatTile tile;
    ui::TileContent content = deadLetters();
    content.state = ui::stateWord(ui::WordSet::Health, u"unknown");
    tile.setContent(content);
    // The last value is not claimed, only its time.
    QCOMPARE(
        tile.accessibleName(), QString{"Dead letters, unknown, Not known, as of 14:26:08 UTC"});
}

void TestListParts::aBadgeNamesItsState()
{
    ui::StateBadge badge{ui::stateWord(ui::WordSet::Breaker, u"half_open")};
    QCOMPARE(badge.accessibleName(), QString{"Half-open"});
    QCOMPARE(badge.sizeHint().height(), 20);
    for (const ui::WordRow& row : ui::allWords()) {
        // At its own size no word is elided: a pixel more changes nothing but the round end.
        badge.setState({ui::textOf(row), row.kind, row.shape});
        badge.resize(badge.sizeHint());
        const QImage exact = badge.grab().toImage();
        badge.resize(badge.sizeHint() + QSize{20, 0});
        QCOMPARE(badge.grab().toImage().copy(exact.rect()), exact);
    }
    badge.setState(ui::stateWord(ui::WordSet::Breaker, u"half_open"));
    badge.resize(badge.sizeHint());
    const QImage image = badge.grab().toImage();
    QVERIFY(cells::shows(image, ui::currentTheme().of(ui::StateKind::Warning).soft));
}

QTEST_MAIN(TestListParts)
#include "tst_list_parts.moc"
