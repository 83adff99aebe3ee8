// Delegates: what they draw of which role, and that they never draw part of an amount.
#include "tests/ui/widgets/cells.h"
#include "tests/ui/widgets/look.h"
#include "ui/widgets/amount_delegate.h"
#include "ui/widgets/amount_paint.h"
#include "ui/widgets/badge.h"
#include "ui/widgets/badge_delegate.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/time_delegate.h"

#include <QTest>

using cells::drawn;
using cells::shows;

class TestDelegates : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void anAmountColumnIsAsWideAsTheDesignSays();
    void decimalPointsStandUnderEachOther();
    void anAmountThatDoesNotFitShowsNoDigit();
    void anAmountReadsTheSameInEveryDirection();
    void moneyHasItsColour();
    void noAmountIsSaidAndNotDrawnAsZero();
    void aStateIsDrawnAsItsBadge();
    void aTimeFollowsItsZone();
    void selectionAndFocusAreSeen();

private:
    QStandardItemModel m_model;
    QModelIndex cell(const cells::Roles& roles);
};

QModelIndex TestDelegates::cell(const cells::Roles& roles)
{
    cells::fill(m_model, {roles});
    return m_model.index(m_model.rowCount() - 1, 0);
}

void TestDelegates::initTestCase()
{
    look::apply();
    look::speak(QLocale::English);
}

void TestDelegates::anAmountColumnIsAsWideAsTheDesignSays()
{
    ui::AmountDelegate delegate;
    QCOMPARE(delegate.columnWidth(), 246);
    delegate.setRoom(6, "USDC");
    QCOMPARE(delegate.columnWidth(), 258);
    delegate.setRoom(20, "USDC");
    QVERIFY(delegate.columnWidth() > 258);

    // Wide enough in truth, not only by number: each of these is drawn whole.
    QImage canvas{400, 27, QImage::Format_ARGB32};
    QPainter painter{&canvas};
    for (const auto& [digits, numeric] :
        {std::pair{2, "99.999999999999999999"}, std::pair{6, "999999.999999999999999999"},
            std::pair{20, "99999999999999999999.999999999999999999"}}) {
        delegate.setRoom(digits, "USDC");
        const auto text
            = ui::AmountText::fromNumeric(QString{numeric}, "USDC", ui::AmountText::Sign::Moved);
        const QRectF room(0, 0, delegate.columnWidth() - 20, 27);
        QVERIFY2(ui::paintAmount(painter, room, *text, ui::AmountColumn::measured(digits, "USDC"),
                     ui::AmountColors::of(*text, true)),
            numeric);
    }
}

void TestDelegates::decimalPointsStandUnderEachOther()
{
    const ui::AmountDelegate delegate;
    const auto unitAndFraction = [&](const char* numeric) {
        const QImage image = drawn(delegate, cell({{ui::RawRole, numeric}, {ui::UnitRole, "ETH"}}),
            delegate.columnWidth());
        // The column of pixels where the first digit behind the point begins.
        return image.copy(0, 0, image.width(), 26);
    };
    const QImage one = unitAndFraction("7.25");
    const QImage other = unitAndFraction("48.25");
    // Everything from the decimal point on is the same picture.
    const ui::AmountColumn column = ui::AmountColumn::measured(2, "USDC");
    const int point = int(246 - 10 - column.unit - 8 - column.fraction);
    QCOMPARE(one.copy(point, 0, 246 - point, 26), other.copy(point, 0, 246 - point, 26));
    QVERIFY(one != other);
}

void TestDelegates::anAmountThatDoesNotFitShowsNoDigit()
{
    const ui::AmountDelegate delegate;
    const QModelIndex wide
        = cell({{ui::RawRole, "123456.5"}, {ui::MovedRole, true}, {ui::UnitRole, "ETH"}});
    QVERIFY(shows(drawn(delegate, wide, 300), ui::currentTheme().moneyIn));
    QVERIFY(!shows(drawn(delegate, wide, 200), ui::currentTheme().moneyIn));
}

void TestDelegates::anAmountReadsTheSameInEveryDirection()
{
    // Drawn from right to left "+1.5" would read "1+5.": another amount.
    const ui::AmountDelegate delegate;
    const QModelIndex index
        = cell({{ui::RawRole, "1.5"}, {ui::MovedRole, true}, {ui::UnitRole, "ETH"}});
    QCOMPARE(drawn(delegate, index, 246, QStyle::State_Enabled, Qt::RightToLeft),
        drawn(delegate, index, 246));
}

void TestDelegates::moneyHasItsColour()
{
    const ui::AmountDelegate delegate;
    const ui::Theme& theme = ui::currentTheme();
    const auto look = [&](const char* numeric, bool moved) {
        return drawn(delegate,
            cell({{ui::RawRole, numeric}, {ui::MovedRole, moved}, {ui::UnitRole, "ETH"}}), 246);
    };
    QVERIFY(shows(look("1.5", true), theme.moneyIn));
    QVERIFY(shows(look("-1.5", true), theme.moneyOut));
    QVERIFY(!shows(look("1.5", false), theme.moneyIn));
    QVERIFY(shows(look("1.5", false), theme.text));
}

void TestDelegates::noAmountIsSaidAndNotDrawnAsZero()
{
    const QModelIndex none = cell({{Qt::DisplayRole, "no posting"}});
    QVERIFY(!ui::AmountDelegate::amountOf(none));
    QVERIFY(shows(drawn(ui::AmountDelegate{}, none, 246), ui::currentTheme().muted));
    const QModelIndex zero = cell({{ui::RawRole, "0"}, {ui::UnitRole, "ETH"}});
    QCOMPARE(ui::AmountDelegate::amountOf(zero)->raw(), QString{"0"});
}

void TestDelegates::aStateIsDrawnAsItsBadge()
{
    const ui::BadgeDelegate delegate{ui::WordSet::Letter};
    const ui::Theme& theme = ui::currentTheme();
    const auto ground = [&](const char* name) {
        const ui::StateWord word = ui::stateWord(ui::WordSet::Letter, QString{name});
        const QImage image = drawn(delegate, cell({{ui::RawRole, name}}), 200);
        // Behind the word, before the round end.
        return image.pixelColor(ui::CellDelegate::kPaddingPx + ui::badgeSize(word).width() - 6, 13);
    };
    QCOMPARE(ground("open"), theme.of(ui::StateKind::Danger).soft);
    QCOMPARE(ground("teleported"), theme.surface); // unknown: an edge, no ground
    const QImage none = drawn(delegate, cell({{Qt::DisplayRole, "none"}}), 200);
    QVERIFY(shows(none, theme.muted));
    QCOMPARE(ui::badgeSize(ui::stateWord(ui::WordSet::Letter, u"open")).height(), 20);
}

void TestDelegates::aTimeFollowsItsZone()
{
    const QDateTime now{QDate{2026, 3, 18}, QTime{14, 26, 8}, Qt::UTC};
    ui::TimeDelegate delegate{nullptr, [now] { return now; }};
    const QModelIndex today = cell({{ui::RawRole, now.addSecs(-384)}});
    QCOMPARE(delegate.textOf(today), QString{"14:19:44"});
    delegate.setZone(ui::Zone::Local);
    QCOMPARE(delegate.textOf(today), now.addSecs(-384).toLocalTime().toString("HH:mm:ss"));
    QCOMPARE(delegate.textOf(cell({{Qt::DisplayRole, "not yet"}})), QString{"not yet"});
}

void TestDelegates::selectionAndFocusAreSeen()
{
    QStandardItemModel model;
    cells::fill(model, {{{Qt::DisplayRole, "one"}}, {{Qt::DisplayRole, "two"}}});
    cells::fill(model, {{{Qt::DisplayRole, "three"}}, {{Qt::DisplayRole, "four"}}});
    QTableView view;
    view.setModel(&model);
    view.setItemDelegate(new ui::CellDelegate{ui::CellDelegate::Look::Text, &view});
    view.setSelectionBehavior(QAbstractItemView::SelectRows);
    view.setShowGrid(false);
    view.resize(400, 200);
    view.show();
    view.activateWindow();
    view.setFocus();
    QTRY_VERIFY(view.hasFocus());
    view.setCurrentIndex(model.index(0, 0));

    const QImage image = view.viewport()->grab().toImage();
    const auto at = [&](int row, int column, QPoint inside) {
        return image.pixelColor(view.visualRect(model.index(row, column)).topLeft() + inside);
    };
    const ui::Theme& theme = ui::currentTheme();
    QCOMPARE(at(0, 0, {60, 12}), theme.selection);
    QCOMPARE(at(1, 0, {60, 12}), theme.surface);
    // The edge runs around the row: on top of both cells, at the left of the first only.
    QCOMPARE(at(0, 0, {30, 0}), theme.accent);
    QCOMPARE(at(0, 1, {30, 0}), theme.accent);
    QCOMPARE(at(0, 0, {0, 12}), theme.accent);
    QCOMPARE(at(0, 1, {0, 12}), theme.selection);
    QCOMPARE(at(1, 0, {0, 12}), theme.surface);
}

QTEST_MAIN(TestDelegates)
#include "tst_delegates.moc"
