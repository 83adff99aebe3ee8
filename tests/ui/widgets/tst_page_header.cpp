// PageHeader: as-of and its ages, one primary button, buttons fold before the title is lost.
#include "tests/support/ends_process.h"
#include "tests/ui/widgets/look.h"
#include "ui/widgets/page_header.h"
#include "ui/widgets/segmented.h"

#include <QTest>

using ui::Freshness;
using ui::StateKind;

class TestPageHeader : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void freshnessGrowsOldByItself();
    void aSilentSourceIsUnknownAndKeepsItsTime();
    void whatWasNeverAnsweredIsUnknown();
    void buttonsFoldIntoMore();
    void aButtonFollowsItsCommand();
    void thereIsOnePrimary();
    void aSegmentIsChosenByKey();
};

namespace {

const QDateTime kNow{QDate{2026, 3, 18}, QTime{14, 26, 8}, Qt::UTC};

} // namespace

void TestPageHeader::initTestCase()
{
    look::apply();
    look::speak(QLocale::English);
}

void TestPageHeader::freshnessGrowsOldByItself()
{
    QDateTime now = kNow;
    ui::FreshnessLabel label{nullptr, [&now] { return now; }};
    QSignalSpy kinds{&label, &ui::FreshnessLabel::kindChanged};
    label.setFreshness({kNow, "PostgreSQL"});
    QCOMPARE(label.text(), QString{"As of 14:26:08 UTC · PostgreSQL"});
    QCOMPARE(label.kind(), StateKind::Ok);

    now = kNow.addSecs(15);
    label.tick();
    QCOMPARE(label.kind(), StateKind::Ok);
    now = kNow.addSecs(130);
    label.tick();
    QCOMPARE(label.kind(), StateKind::Warning);
    QCOMPARE(label.text(), QString{"2 min 10 s old · PostgreSQL"});
    QCOMPARE(kinds.size(), 2); // unknown → ok → warning
    QCOMPARE(label.accessibleName(), label.text());
}

void TestPageHeader::aSilentSourceIsUnknownAndKeepsItsTime()
{
    const auto text = ui::textOf({kNow.addSecs(-1437), "Redis", true}, kNow, ui::Zone::Utc);
    QCOMPARE(text.kind, StateKind::Unknown);
    QCOMPARE(text.text, QString{"No answer since 14:02:11 UTC · Redis"});
}

void TestPageHeader::whatWasNeverAnsweredIsUnknown()
{
    QCOMPARE(ui::textOf({}, kNow, ui::Zone::Utc).kind, StateKind::Unknown);
    const auto silent = ui::textOf({{}, "Redis", true}, kNow, ui::Zone::Utc);
    QCOMPARE(silent.text, QString{"No answer yet · Redis"});
}

void TestPageHeader::buttonsFoldIntoMore()
{
    ui::PageHeader header{nullptr, [] { return kNow; }};
    header.setTitle("Payment evt_9b41c7d2");
    QList<QAction*> commands;
    for (const char* text : {"Credited &twice?", "&Never arrived?", "N&ote", "&Evidence pack"}) {
        commands << new QAction{text, &header};
        header.addCommand(commands.last());
    }
    QAction review{"Review R-0412…"};
    header.addCommand(&review, ui::PageHeader::Rank::Primary);
    header.resize(1400, 44);
    header.show();
    const auto visible = [&] {
        QStringList texts;
        for (const auto* button : header.findChildren<QPushButton*>()) {
            if (button->isVisible()) {
                texts << button->text();
            }
        }
        return texts;
    };
    QCOMPARE(visible().size(), 5);
    QVERIFY(visible().contains("Credited twice?"));

    header.resize(620, 44);
    QTRY_VERIFY(visible().contains("More"));
    QVERIFY(visible().contains("Review R-0412…")); // the primary never folds
    QVERIFY(!visible().contains("Evidence pack"));
    const auto* menu = header.findChild<QMenu*>();
    QVERIFY(menu->actions().contains(commands.last()));

    header.resize(1400, 44);
    QTRY_VERIFY(!visible().contains("More"));
}

void TestPageHeader::aButtonFollowsItsCommand()
{
    ui::PageHeader header{nullptr, [] { return kNow; }};
    QAction decide{"&Decide"};
    QSignalSpy triggered{&decide, &QAction::triggered};
    header.addCommand(&decide);
    QPushButton* button = nullptr;
    for (auto* each : header.findChildren<QPushButton*>()) {
        button = each->text() == "Decide" ? each : button;
    }
    decide.setEnabled(false);
    decide.setToolTip("Needs the role approver. You are support.");
    QVERIFY(!button->isEnabled());
    QCOMPARE(button->accessibleDescription(), decide.toolTip());
    decide.setEnabled(true);
    button->click();
    QCOMPARE(triggered.size(), 1);
}

void TestPageHeader::thereIsOnePrimary()
{
    QVERIFY(support::endsProcess([] {
        ui::PageHeader header;
        QAction one{"One"};
        QAction two{"Two"};
        header.addCommand(&one, ui::PageHeader::Rank::Primary);
        header.addCommand(&two, ui::PageHeader::Rank::Primary);
    }));
}

void TestPageHeader::aSegmentIsChosenByKey()
{
    ui::Segmented range{"Range", {"1 h", "24 h", "7 d"}};
    QSignalSpy chosen{&range, &ui::Segmented::chosen};
    range.show();
    range.activateWindow();
    auto* first = range.findChildren<QToolButton*>().first();
    first->setFocus();
    QTRY_VERIFY(first->hasFocus());
    QTest::keyClick(first, Qt::Key_Right);
    QCOMPARE(range.current(), 1);
    QCOMPARE(chosen.size(), 1);
    range.setCurrent(2);
    QCOMPARE(chosen.size(), 1); // only a person chooses
    QCOMPARE(first->accessibleName(), QString{"Range: 1 h"});
}

QTEST_MAIN(TestPageHeader)
#include "tst_page_header.moc"
