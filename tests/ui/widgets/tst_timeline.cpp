// The timeline: gaps and unknown rows are rows, arrows pass over gaps, Enter opens, nothing jumps.
#include "tests/ui/widgets/look.h"
#include "ui/data/cell_role.h"
#include "ui/widgets/kind_chips.h"
#include "ui/widgets/timeline_view.h"

#include <QAbstractItemModelTester>
#include <QTest>

using ui::TimelineEntry;

class TestTimeline : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void aLongSilenceIsARow();
    void nothingIsClaimedAboutWhatIsHidden();
    void arrowsPassOverGapsAndEnterOpens();
    void theCurrentEntrySurvivesARefresh();
    void aRowIsReadAsASentence();
    void aTimeThatIsNotKnownIsSaid();
    void rowsAre38High();
    void aRowIsCopiedExactly();
    void kindsAreChosenByChip();
};

namespace {

const QDateTime kNow{QDate{2026, 3, 18}, QTime{18, 0, 0}, Qt::UTC};

QList<TimelineEntry> entries()
{
    const QDateTime first{QDate{2026, 3, 18}, QTime{14, 2, 11, 408}, Qt::UTC};
    const auto amount = ui::AmountText::fromNumeric(
        u"1.204817360592114073", "ETH", ui::AmountText::Sign::Moved, QLocale{"en_US"});
    return {
        {.id = 1,
            .kind = "deliveries",
            .at = first,
            .icon = ui::Icon::In,
            .bold = "Delivery 1 accepted",
            .plain = "from alchemy-main",
            .detail = "Signature valid",
            .badge = ui::stateWord(ui::WordSet::Delivery, u"accepted")},
        {.id = 2,
            .kind = "states",
            .at = first.addMSecs(4),
            .icon = ui::Icon::Waiting,
            .plain = "State: pending → enqueued"},
        {.id = 3,
            .kind = "money",
            .at = first.addSecs(11520 + 1),
            .icon = ui::Icon::Journal,
            .bold = "Posted once",
            .amount = amount,
            .detail = "Balance 3.7 → 4.9"},
        {.id = 4,
            .kind = "chain",
            .at = {},
            .icon = ui::Icon::Unknown,
            .plain = "Finality is not known",
            .badge = ui::stateWord(ui::WordSet::Event, u"unknown")},
    };
}

} // namespace

void TestTimeline::initTestCase()
{
    look::apply();
    look::speak(QLocale::English);
}

void TestTimeline::aLongSilenceIsARow()
{
    ui::TimelineModel model;
    QAbstractItemModelTester tester{&model, QAbstractItemModelTester::FailureReportingMode::QtTest};
    model.setEntries(entries());
    QCOMPARE(model.rowCount(), 5);
    QCOMPARE(model.entryAt(2), nullptr);
    QCOMPARE(model.gapTextAt(2), QString{"3 h 12 min without an entry"});
    QCOMPARE(model.flags(model.index(2)) & Qt::ItemIsEnabled, Qt::NoItemFlags);

    QList<TimelineEntry> near = entries().mid(0, 2);
    near[1].at = near[0].at.addSecs(3599);
    model.setEntries(near);
    QCOMPARE(model.rowCount(), 2);
    near[1].at = near[0].at.addSecs(3600);
    model.setEntries(near);
    QCOMPARE(model.rowCount(), 3);
}

void TestTimeline::nothingIsClaimedAboutWhatIsHidden()
{
    ui::TimelineModel model;
    model.setEntries(entries());
    model.setKind("money");
    QCOMPARE(model.rowCount(), 1);
    QList<TimelineEntry> two = entries();
    two[0].kind = "money"; // hours apart, but others stand between them
    model.setEntries(two);
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(model.count("money"), 2);
    QCOMPARE(model.count({}), 4);
}

void TestTimeline::arrowsPassOverGapsAndEnterOpens()
{
    ui::TimelineView view;
    view.setEntries(entries());
    view.show();
    view.setCurrentIndex(view.timeline().index(0));
    QSignalSpy opened{&view, &ui::TimelineView::opened};
    QTest::keyClick(&view, Qt::Key_Down);
    QTest::keyClick(&view, Qt::Key_Down);
    QCOMPARE(view.currentIndex().row(), 3); // 2 is the gap
    QTest::keyClick(&view, Qt::Key_Return);
    QCOMPARE(opened.size(), 1);
    QCOMPARE(opened.first().first().toLongLong(), 3);
}

void TestTimeline::theCurrentEntrySurvivesARefresh()
{
    ui::TimelineView view;
    view.setEntries(entries());
    view.setCurrentIndex(view.timeline().index(3));
    QList<TimelineEntry> more = entries();
    more.prepend({.id = 9, .kind = "chain", .at = more[0].at.addSecs(-2), .plain = "Mined"});
    view.setEntries(more);
    QCOMPARE(view.currentIndex().data(ui::RowIdRole).toLongLong(), 3);
    view.setEntries({});
    QVERIFY(!view.currentIndex().isValid());
}

void TestTimeline::aRowIsReadAsASentence()
{
    ui::TimelineModel model;
    model.setNow(kNow);
    model.setEntries(entries());
    QCOMPARE(model.data(model.index(0), Qt::AccessibleTextRole).toString(),
        QString{"14:02:11 UTC, Delivery 1 accepted from alchemy-main, Signature valid, Accepted"});
    QCOMPARE(model.timeTextAt(0), QString{"14:02:11.408"});
    QVERIFY(model.data(model.index(3), Qt::AccessibleTextRole)
                .toString()
                .contains("+1.204817360592114073"));
}

void TestTimeline::aTimeThatIsNotKnownIsSaid()
{
    ui::TimelineModel model;
    model.setEntries(entries());
    QCOMPARE(model.timeTextAt(4), QString{"not known"});
}

void TestTimeline::rowsAre38High()
{
    ui::TimelineView view;
    view.setEntries(entries());
    view.resize(620, 400);
    view.show();
    QCOMPARE(view.visualRect(view.timeline().index(0)).height(), 38);
    QCOMPARE(view.visualRect(view.timeline().index(2)).height(), 38);
}

void TestTimeline::aRowIsCopiedExactly()
{
    ui::TimelineView view;
    view.setEntries(entries());
    view.setCurrentIndex(view.timeline().index(3));
    QTest::keySequence(&view, QKeySequence::Copy);
    QCOMPARE(QGuiApplication::clipboard()->text(),
        QString{"2026-03-18T17:14:12.408Z\tPosted once\t1.204817360592114073\tBalance 3.7 → 4.9"});
}

void TestTimeline::kindsAreChosenByChip()
{
    ui::KindChips chips{{{"", "All"}, {"chain", "Chain"}}};
    chips.setCount("chain", 1204);
    QSignalSpy chosen{&chips, &ui::KindChips::chosen};
    for (auto* chip : chips.findChildren<QAbstractButton*>()) {
        if (chip->accessibleName() == "Chain: 1,204") {
            chip->click();
        }
    }
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(chips.current(), QString{"chain"});
}

QTEST_MAIN(TestTimeline)
#include "tst_timeline.moc"
