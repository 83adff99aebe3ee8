// The explainer: which step stands out, what the customer is told, that it recomputes when asked.
#include "tests/ui/widgets/look.h"
#include "ui/widgets/explainer_parts.h"
#include "ui/widgets/explainer_view.h"

#include <QTest>

using ui::ExplainerStep;
using ui::ExplainerView;
using ui::StateKind;

class TestExplainer : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void theFirstFailingStepStandsOut_data();
    void theFirstFailingStepStandsOut();
    void stepsAreReadWithTheirState();
    void theCustomersSentenceHasTwoLanguages();
    void itRecomputesOnlyWhenAsked();
    void linksSayWhatTheyOpen();
};

namespace {

ExplainerStep step(StateKind kind, bool skipped = false)
{
    return {.kind = kind,
        .isSkipped = skipped,
        .finding = "Address is ours",
        .evidence = "0x04fb…9a6e → user 51730",
        .links = {{"user 51730", "user:51730"}}};
}

ui::Explanation explanation()
{
    return {.question = "Never arrived?",
        .verdict = StateKind::Warning,
        .sentence = "Not credited yet: the chain node does not answer.",
        .consequence = "Step 6 of 7. Nothing is lost.",
        .steps = {step(StateKind::Ok), step(StateKind::Unknown), step(StateKind::Unknown, true)},
        .customerEnglish = "We see your transfer of 2,500.75 USDC.",
        .customerRussian = "Мы видим ваш перевод 2 500,75 USDC.",
        .asOf = "14:26:08 UTC"};
}

template <class Button>
Button* named(QWidget& where, const QString& name)
{
    for (auto* button : where.findChildren<Button*>()) {
        if (button->accessibleName() == name || button->text() == name) {
            return button;
        }
    }
    return nullptr;
}

} // namespace

void TestExplainer::initTestCase()
{
    look::apply();
    look::speak(QLocale::English);
}

void TestExplainer::theFirstFailingStepStandsOut_data()
{
    QTest::addColumn<QList<ExplainerStep>>("steps");
    QTest::addColumn<int>("first");

    QTest::newRow("all hold") << QList<ExplainerStep>{step(StateKind::Ok), step(StateKind::Info)}
                              << -1;
    QTest::newRow("unknown never passes")
        << QList<ExplainerStep>{step(StateKind::Ok), step(StateKind::Unknown)} << 1;
    QTest::newRow("the first of two")
        << QList<ExplainerStep>{step(StateKind::Danger), step(StateKind::Warning)} << 0;
    QTest::newRow("skipped is not failing")
        << QList<ExplainerStep>{step(StateKind::Ok), step(StateKind::Unknown, true)} << -1;
    QTest::newRow("none") << QList<ExplainerStep>{} << -1;
}

void TestExplainer::theFirstFailingStepStandsOut()
{
    QFETCH(QList<ExplainerStep>, steps);
    QFETCH(int, first);
    QCOMPARE(ExplainerView::firstFailing(steps), first);
}

void TestExplainer::stepsAreReadWithTheirState()
{
    ExplainerView view;
    view.setExplanation(explanation());
    QStringList names;
    for (const auto* row : view.findChildren<ui::StepRow*>()) {
        names << row->accessibleName();
    }
    QCOMPARE(names.size(), 3);
    QVERIFY(names[0].contains(", OK, "));
    QVERIFY(names[1].contains(", Unknown, "));
    QVERIFY(names[2].contains("not looked at yet"));
    QCOMPARE(view.accessibleDescription(),
        QString{"Not credited yet: the chain node does not answer. Step 6 of 7. Nothing is lost."});
}

void TestExplainer::theCustomersSentenceHasTwoLanguages()
{
    ExplainerView view;
    view.setExplanation(explanation());
    named<QPushButton>(view, "Copy the sentence for the customer")->click();
    QCOMPARE(QGuiApplication::clipboard()->text(), explanation().customerEnglish);
    named<QToolButton>(view, "ru")->click();
    QCOMPARE(view.customerSentence(), explanation().customerRussian);
    named<QPushButton>(view, "Copy the sentence for the customer")->click();
    QCOMPARE(QGuiApplication::clipboard()->text(), explanation().customerRussian);
    // The choice is the customer's: it survives a new look at the payment.
    view.setExplanation(explanation());
    QCOMPARE(view.customerSentence(), explanation().customerRussian);
}

void TestExplainer::itRecomputesOnlyWhenAsked()
{
    ExplainerView view;
    view.setExplanation(explanation());
    QSignalSpy asked{&view, &ExplainerView::recomputeRequested};
    QTest::keyClick(&view, Qt::Key_F5);
    QCOMPARE(asked.size(), 1);
    named<QToolButton>(view, "Look again (F5 in here)")->click();
    QCOMPARE(asked.size(), 2);
    QSignalSpy closed{&view, &ExplainerView::closeRequested};
    named<QToolButton>(view, "Close the explainer")->click();
    QCOMPARE(closed.size(), 1);
}

void TestExplainer::linksSayWhatTheyOpen()
{
    ExplainerView view;
    view.setExplanation(explanation());
    QSignalSpy activated{&view, &ExplainerView::linkActivated};
    named<QPushButton>(view, "user 51730")->click();
    QCOMPARE(activated.first().first().toString(), QString{"user:51730"});
}

QTEST_MAIN(TestExplainer)
#include "tst_explainer.moc"
