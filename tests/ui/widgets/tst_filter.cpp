// Filters: the line and the chips say the same; nothing is lost on the way there and back.
#include "tests/ui/widgets/look.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/choice_popup.h"
#include "ui/widgets/filter_chips.h"

#include <QTest>

using ui::Filter;
using ui::FilterChips;
using ui::FilterOp;

class TestFilter : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void aLineIsRead_data();
    void aLineIsRead();
    void aWrongLineNamesTheWord_data();
    void aWrongLineNamesTheWord();
    void chipsShowTheFilter();
    void freeTextWaitsForTheLastKey();
    void escapeClearsTheText();
    void aChipIsRemovedByKeyAndCross();
    void aChoiceIsTypedAndTaken();
    void theLineIsEdited();
};

namespace {

QList<ui::FilterKey> keys()
{
    return {
        {.key = "state",
            .label = "State",
            .choices = {{"open", "open"}, {"replaying", "replaying"}}},
        {.key = "cause", .label = "Cause"},
        {.key = "age", .label = "Older than", .isOffered = false, .isOrdered = true},
    };
}

ui::Chip* chipOf(FilterChips& chips, const QString& name)
{
    for (auto* chip : chips.findChildren<ui::Chip*>()) {
        if (!chip->isHidden() && chip->accessibleName().startsWith(name)) {
            return chip;
        }
    }
    return nullptr;
}

} // namespace

void TestFilter::initTestCase()
{
    look::apply();
    look::speak(QLocale::English);
}

void TestFilter::aLineIsRead_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<Filter>("filter");

    QTest::newRow("nothing") << "" << Filter{};
    QTest::newRow("terms") << "state:open cause:RPC_TIMEOUT age>1h"
                           << Filter{{{"state", FilterOp::Is, "open"},
                                         {"cause", FilterOp::Is, "RPC_TIMEOUT"},
                                         {"age", FilterOp::Above, "1h"}},
                                  {}};
    QTest::newRow("not") << "-state:open" << Filter{{{"state", FilterOp::IsNot, "open"}}, {}};
    QTest::newRow("text") << "no receipt state:open"
                          << Filter{{{"state", FilterOp::Is, "open"}}, "no receipt"};
    QTest::newRow("quoted value") << R"(cause:"no \"receipt\"")"
                                  << Filter{{{"cause", FilterOp::Is, "no \"receipt\""}}, {}};
    QTest::newRow("quoted text is no term") << R"("state:open")" << Filter{{}, "state:open"};
    QTest::newRow("hash and time are text") << "0x8f3c 14:02" << Filter{{}, "0x8f3c 14:02"};
    QTest::newRow("the last of a key counts")
        << "state:open state:replaying" << Filter{{{"state", FilterOp::Is, "replaying"}}, {}};
}

void TestFilter::aLineIsRead()
{
    QFETCH(QString, line);
    QFETCH(Filter, filter);

    const auto read = ui::fromLine(line, keys());
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    QCOMPARE(*read, filter);
    const auto again = ui::fromLine(ui::toLine(*read), keys());
    QVERIFY(again);
    QCOMPARE(*again, filter); // there and back
}

void TestFilter::aWrongLineNamesTheWord_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("complaint");

    QTest::newRow("unknown key") << "stat:open"
                                 << "“stat” is no filter of this page.";
    QTest::newRow("unknown value") << "state:opne"
                                   << "“opne” is no value of “state”.";
    QTest::newRow("no order") << "state>1"
                              << "“state” has no greater or less.";
    QTest::newRow("no value") << "cause:"
                              << "“cause” has no value.";
    QTest::newRow("open quote") << "cause:\"x"
                                << "A quotation mark is open.";
}

void TestFilter::aWrongLineNamesTheWord()
{
    QFETCH(QString, line);
    QFETCH(QString, complaint);
    const auto read = ui::fromLine(line, keys());
    QVERIFY(!read);
    QCOMPARE(QString::fromStdString(read.error().message), complaint);
}

void TestFilter::chipsShowTheFilter()
{
    FilterChips chips{keys(), "Event, user, tx, error"};
    QSignalSpy changed{&chips, &FilterChips::filterChanged};
    QVERIFY(chipOf(chips, "State: any") != nullptr);
    QVERIFY(chipOf(chips, "Older than") == nullptr); // behind "+ Filter"
    chips.setFilter({{{"state", FilterOp::Is, "open"}, {"age", FilterOp::Above, "1h"}}, "x"});
    QVERIFY(chipOf(chips, "State: open")->isActive());
    QVERIFY(chipOf(chips, "Older than: >1h")->isActive());
    QVERIFY(!chipOf(chips, "Cause: any")->isActive());
    QCOMPARE(changed.size(), 0); // only a person's change is told
    QCOMPARE(chipOf(chips, "State")->height(), 26);
}

void TestFilter::freeTextWaitsForTheLastKey()
{
    FilterChips chips{keys(), "Event, user, tx, error"};
    QSignalSpy changed{&chips, &FilterChips::filterChanged};
    chips.show();
    chips.focusText();
    auto* text = qobject_cast<QLineEdit*>(chips.focusWidget());
    QVERIFY(text != nullptr);
    QTest::keyClicks(text, "rpc-a");
    QCOMPARE(changed.size(), 0);
    QTRY_COMPARE(changed.size(), 1); // once for five keys
    QCOMPARE(chips.filter().text, QString{"rpc-a"});
}

void TestFilter::escapeClearsTheText()
{
    FilterChips chips{keys(), "Text"};
    chips.setFilter({{}, "rpc-a"});
    chips.show();
    chips.focusText();
    QSignalSpy changed{&chips, &FilterChips::filterChanged};
    QTest::keyClick(chips.focusWidget(), Qt::Key_Escape);
    QCOMPARE(changed.size(), 1);
    QVERIFY(chips.filter().isEmpty());
}

void TestFilter::aChipIsRemovedByKeyAndCross()
{
    FilterChips chips{keys(), "Text"};
    chips.show();
    QSignalSpy changed{&chips, &FilterChips::filterChanged};
    chips.setFilter({{{"state", FilterOp::Is, "open"}, {"cause", FilterOp::Is, "X"}}, {}});
    chips.activateWindow();
    chipOf(chips, "State")->setFocus();
    QTRY_VERIFY(chipOf(chips, "State")->hasFocus());
    QTest::keyClick(chipOf(chips, "State"), Qt::Key_Delete);
    QCOMPARE(changed.size(), 1);
    QVERIFY(chipOf(chips, "State: any")->hasFocus()); // the keyboard stays where it was
    QVERIFY(chips.filter().termOf(u"state") == nullptr);

    ui::Chip* cause = chipOf(chips, "Cause");
    QTRY_VERIFY(cause->width() == cause->sizeHint().width());
    QTest::mouseClick(cause, Qt::LeftButton, {}, {cause->width() - 14, cause->height() / 2});
    QCOMPARE(changed.size(), 2);
    QVERIFY(chips.filter().isEmpty());
}

void TestFilter::aChoiceIsTypedAndTaken()
{
    FilterChips chips{keys(), "Text"};
    chips.show();
    QSignalSpy changed{&chips, &FilterChips::filterChanged};
    chipOf(chips, "State")->click();
    auto* popup = chips.findChild<ui::ChoicePopup*>();
    QVERIFY(popup != nullptr);
    auto* typed = popup->findChild<QLineEdit*>();
    QTest::keyClicks(typed, "repl");
    QTest::keyClick(typed, Qt::Key_Return);
    QCOMPARE(changed.size(), 1);
    QCOMPARE(chips.filter().termOf(u"state")->value, QString{"replaying"});
}

void TestFilter::theLineIsEdited()
{
    FilterChips chips{keys(), "Text"};
    chips.show();
    chips.setFilter({{{"state", FilterOp::Is, "open"}}, {}});
    QSignalSpy changed{&chips, &FilterChips::filterChanged};
    chips.editLine();
    auto* line = qobject_cast<QLineEdit*>(chips.focusWidget());
    QVERIFY(line != nullptr);
    QCOMPARE(line->text(), QString{"state:open"});
    line->setText("stat:open");
    QTest::keyClick(line, Qt::Key_Return);
    QVERIFY(line->isVisible()); // it stays, to be mended
    QCOMPARE(changed.size(), 0);
    line->setText("cause:X age>1h");
    QTest::keyClick(line, Qt::Key_Return);
    QVERIFY(!line->isVisible());
    QCOMPARE(changed.size(), 1);
    QCOMPARE(ui::toLine(chips.filter()), QString{"cause:X age>1h"});
}

QTEST_MAIN(TestFilter)
#include "tst_filter.moc"
