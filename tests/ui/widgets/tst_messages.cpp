// MessageBar: newest on top, three shown, errors stay, undo expires; text is never markup.
#include "tests/ui/widgets/look.h"
#include "ui/widgets/message_bar.h"

#include <QTest>

using namespace std::chrono_literals;
using ui::Message;
using ui::MessageBar;
using ui::StateKind;

class TestMessages : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void newestIsOnTopAndThreeAreShown();
    void aMessageStaysUntilItIsClosed();
    void undoLosesItsSenseByItself();
    void theErrorIdIsCopied();
    void theActionSaysWhoseItIs();
    void aProvidersTextIsNoMarkup();
    void itFollowsTheTheme();
};

namespace {

QStringList shownFacts(MessageBar& bar)
{
    QList<ui::MessageLine*> lines;
    for (auto* line : bar.findChildren<ui::MessageLine*>()) {
        if (line->isVisible()) {
            lines << line;
        }
    }
    std::sort(lines.begin(), lines.end(), [](auto* a, auto* b) { return a->y() < b->y(); });
    QStringList facts;
    for (const auto* line : lines) {
        facts << line->message().fact;
    }
    return facts;
}

QPushButton* buttonNamed(QWidget& where, const QString& name)
{
    for (auto* button : where.findChildren<QPushButton*>()) {
        if (button->text() == name) {
            return button;
        }
    }
    return nullptr;
}

} // namespace

void TestMessages::initTestCase()
{
    look::apply();
    look::speak(QLocale::English);
}

void TestMessages::newestIsOnTopAndThreeAreShown()
{
    MessageBar bar;
    bar.resize(800, 300);
    for (const char* fact : {"one", "two", "three", "four", "five"}) {
        bar.post({.kind = StateKind::Info, .fact = fact});
    }
    bar.show();
    QTRY_COMPARE(shownFacts(bar), QStringList({"five", "four", "three"}));
    QLabel* more = nullptr;
    for (auto* label : bar.findChildren<QLabel*>()) {
        more = label->text() == "and 2 more" ? label : more;
    }
    QVERIFY(more != nullptr && more->isVisible());
    buttonNamed(bar, "Show all messages")->click();
    QTRY_COMPARE(shownFacts(bar).size(), 5);
}

void TestMessages::aMessageStaysUntilItIsClosed()
{
    MessageBar bar;
    bar.show();
    QVERIFY(bar.isHidden() || bar.height() >= 0);
    const int number = bar.post({.kind = StateKind::Danger, .fact = "PostgreSQL does not answer."});
    QVERIFY(bar.isVisible());
    QSignalSpy closed{&bar, &MessageBar::closed};
    bar.findChild<QToolButton*>()->click();
    QCOMPARE(closed.size(), 1);
    QCOMPARE(closed.first().first().toInt(), number);
    QCOMPARE(bar.count(), 0);
    QVERIFY(bar.isHidden()); // takes no room
}

void TestMessages::undoLosesItsSenseByItself()
{
    MessageBar bar;
    bar.post({.kind = StateKind::Danger, .fact = "stays"});
    bar.post(
        {.kind = StateKind::Ok, .fact = "Acknowledged.", .action = "Undo", .expiresAfter = 20ms});
    QCOMPARE(bar.count(), 2);
    QTRY_COMPARE(bar.count(), 1);
    QCOMPARE(bar.findChild<ui::MessageLine*>()->message().fact, QString{"stays"});
}

void TestMessages::theErrorIdIsCopied()
{
    MessageBar bar;
    bar.post({.kind = StateKind::Danger, .fact = "It failed.", .errorId = "E-7f31"});
    buttonNamed(bar, "E-7f31")->click();
    QCOMPARE(QGuiApplication::clipboard()->text(), QString{"E-7f31"});
    QCOMPARE(buttonNamed(bar, "E-7f31")->accessibleName(), QString{"Copy the error id E-7f31"});
}

void TestMessages::theActionSaysWhoseItIs()
{
    MessageBar bar;
    const int number = bar.post({.fact = "Discarded.", .action = "Undo"});
    bar.post({.fact = "Another."});
    QSignalSpy triggered{&bar, &MessageBar::actionTriggered};
    buttonNamed(bar, "Undo")->click();
    QCOMPARE(triggered.first().first().toInt(), number);
}

void TestMessages::aProvidersTextIsNoMarkup()
{
    MessageBar bar;
    bar.post({.fact = "<img src=x>", .rest = "<b>&amp;"});
    for (const auto* label : bar.findChildren<QLabel*>()) {
        QVERIFY(!label->text().contains("<img"));
    }
}

void TestMessages::itFollowsTheTheme()
{
    MessageBar bar;
    bar.resize(600, 60);
    bar.post({.kind = StateKind::Danger, .fact = "It failed."});
    bar.show();
    auto* text = bar.findChild<ui::MessageLine*>()->findChild<QLabel*>();
    for (const ui::Theme& theme : {ui::Theme::dark(), ui::Theme::light()}) {
        look::apply(theme);
        const QImage image = bar.grab().toImage();
        QCOMPARE(text->palette().color(QPalette::WindowText), theme.of(StateKind::Danger).text);
        QCOMPARE(image.pixelColor(image.width() / 2, 5), theme.of(StateKind::Danger).soft);
    }
}

QTEST_MAIN(TestMessages)
#include "tst_messages.moc"
