// Dialogs for money: the lock, the reason, the number; Enter never acts; lost focus locks anew.
#include "tests/ui/widgets/look.h"
#include "ui/widgets/dialog_frame.h"
#include "ui/widgets/lock_button.h"
#include "ui/widgets/veil.h"

#include <QTest>

using namespace std::chrono_literals;
using ui::DialogFrame;
using Grade = DialogFrame::Grade;

class TestDialogFrame : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void theActNeedsLockReasonAndNumber();
    void theLockIsThreeSeconds();
    void enterNeverActs_data();
    void enterNeverActs();
    void spaceActsByKeyboardAlone();
    void lostFocusLocksAnew();
    void whatForbidsIsSaid();
    void cancelIsTheDefault();
    void thePageBehindIsDimmed();
    void gradeTwoHasNoLock();
};

namespace {

struct Open
{
    explicit Open(Grade grade = Grade::Three, std::chrono::milliseconds lock = 40ms)
        : dialog{grade, ui::Environment::Production, nullptr, lock}
    {
        dialog.setHead(ui::Icon::Shield, "Approve replay R-0412",
            "The processor will post money for 12 letters. A posting cannot be taken back.");
        dialog.setAct("Approve 12 letters", ui::Icon::Shield, "Reject…");
        dialog.needReason("Your reason (kept in the audit)");
        if (grade == Grade::Three) {
            dialog.needNumber(12, "Type the number of letters: 12");
        }
        dialog.open();
        dialog.activateWindow();
        act = dialog.findChild<ui::LockButton*>();
        for (auto* field : dialog.findChildren<QLineEdit*>()) {
            if (!field->isHidden()) {
                (field->accessibleName().startsWith("Type") ? number : reason) = field;
            }
        }
    }

    DialogFrame dialog;
    ui::LockButton* act = nullptr;
    QLineEdit* reason = nullptr;
    QLineEdit* number = nullptr;
};

} // namespace

void TestDialogFrame::initTestCase()
{
    look::apply();
    look::speak(QLocale::English);
}

void TestDialogFrame::theActNeedsLockReasonAndNumber()
{
    Open open;
    QVERIFY(!open.act->isEnabled());
    QTRY_VERIFY(open.act->isUnlocked());
    QVERIFY(!open.act->isEnabled());
    QCOMPARE(open.dialog.waitsFor(), QString{"The reason is missing"});
    QTest::keyClicks(open.reason, "  ");
    QCOMPARE(open.dialog.waitsFor(), QString{"The reason is missing"}); // blanks are none
    QTest::keyClicks(open.reason, "Receipts checked");
    QCOMPARE(open.dialog.waitsFor(), QString{"The number is not typed"});
    QTest::keyClicks(open.number, "1");
    QVERIFY(!open.act->isEnabled());
    QTest::keyClicks(open.number, "2");
    QVERIFY(open.act->isEnabled());
    QCOMPARE(open.dialog.waitsFor(), QString{});
    QTest::keyClicks(open.number, "0");
    QVERIFY(!open.act->isEnabled()); // 120 is not 12
    QCOMPARE(open.dialog.reason(), QString{"Receipts checked"});
}

void TestDialogFrame::theLockIsThreeSeconds()
{
    QCOMPARE(ui::LockButton::kLock, 3000ms);
    ui::LockButton button;
    button.restart();
    button.setReady(true);
    QCOMPARE(button.secondsLeft(), 3);
    QVERIFY(!button.isEnabled());
    Open open{Grade::Three, 3000ms};
    QVERIFY(open.dialog.waitsFor().startsWith("Unlocks in "));
}

void TestDialogFrame::enterNeverActs_data()
{
    QTest::addColumn<int>("key");
    QTest::newRow("return") << int(Qt::Key_Return);
    QTest::newRow("enter") << int(Qt::Key_Enter);
}

void TestDialogFrame::enterNeverActs()
{
    QFETCH(int, key);
    Open open;
    QTest::keyClicks(open.reason, "Receipts checked");
    QTest::keyClicks(open.number, "12");
    QTRY_VERIFY(open.act->isEnabled());
    QSignalSpy acted{&open.dialog, &DialogFrame::acted};
    for (QWidget* where : {static_cast<QWidget*>(open.act), static_cast<QWidget*>(open.reason),
             static_cast<QWidget*>(open.number)}) {
        where->setFocus();
        QTest::keyClick(where, Qt::Key(key));
        QCOMPARE(acted.size(), 0);
        QVERIFY(open.dialog.isVisible()); // nor does it throw away what was typed
    }
}

void TestDialogFrame::spaceActsByKeyboardAlone()
{
    Open open;
    QTest::keyClicks(open.reason, "Receipts checked");
    QTest::keyClicks(open.number, "12");
    QTRY_VERIFY(open.act->isEnabled());
    QSignalSpy acted{&open.dialog, &DialogFrame::acted};
    open.act->setFocus();
    QTest::keyClick(open.act, Qt::Key_Space);
    QCOMPARE(acted.size(), 1);
    QVERIFY(open.dialog.isVisible()); // sent is not done: who listens closes it
}

void TestDialogFrame::lostFocusLocksAnew()
{
    Open open;
    QTest::keyClicks(open.reason, "Receipts checked");
    QTest::keyClicks(open.number, "12");
    QTRY_VERIFY(open.act->isEnabled());
    QWidget other;
    other.show();
    other.activateWindow();
    QTRY_VERIFY(other.isActiveWindow());
    QTRY_VERIFY(!open.act->isEnabled());
    QVERIFY(!open.act->isUnlocked());
    open.dialog.activateWindow();
    QTRY_VERIFY(open.act->isEnabled());
}

void TestDialogFrame::whatForbidsIsSaid()
{
    Open open;
    QTest::keyClicks(open.reason, "Receipts checked");
    QTest::keyClicks(open.number, "12");
    QTRY_VERIFY(open.act->isEnabled());
    const QString why = "The snapshot changed: 1 letter was settled at 14:21:07.";
    open.dialog.setBlocked(why);
    QVERIFY(!open.act->isEnabled());
    QCOMPARE(open.act->accessibleDescription(), why);
    QCOMPARE(open.dialog.waitsFor(), why);
}

void TestDialogFrame::cancelIsTheDefault()
{
    Open open;
    for (auto* button : open.dialog.findChildren<QPushButton*>()) {
        QCOMPARE(button->isDefault(), button->text() == "Cancel");
    }
    QSignalSpy rejected{&open.dialog, &QDialog::rejected};
    QTest::keyClick(&open.dialog, Qt::Key_Escape);
    QCOMPARE(rejected.size(), 1);
}

void TestDialogFrame::thePageBehindIsDimmed()
{
    QWidget window;
    window.resize(400, 300);
    window.show();
    {
        DialogFrame dialog{Grade::Three, ui::Environment::Staging, &window};
        dialog.open();
        auto* veil = window.findChild<ui::Veil*>();
        QVERIFY(veil != nullptr && veil->isVisible());
        QCOMPARE(veil->geometry(), window.rect());
        window.resize(500, 320);
        QTRY_COMPARE(veil->geometry(), window.rect());
        dialog.reject();
        QCOMPARE(window.findChild<ui::Veil*>(), nullptr);
    }
}

void TestDialogFrame::gradeTwoHasNoLock()
{
    Open open{Grade::Two};
    QCOMPARE(open.dialog.width(), 520);
    QTest::keyClicks(open.reason, "Sent twice by mistake");
    QTRY_VERIFY(open.act->isEnabled());
}

QTEST_MAIN(TestDialogFrame)
#include "tst_dialog_frame.moc"
