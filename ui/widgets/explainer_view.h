// ExplainerView: a question about a payment answered step by step, with the evidence of each.
#pragma once

#include "ui/widgets/theme.h"

#include <QDateTime>
#include <QList>
#include <QScrollArea>
#include <QString>

class QLabel;
class QToolButton;
class QVBoxLayout;

namespace ui {

class Segmented;

struct ExplainerLink
{
    QString text = {}; // "posting 5,518,204"
    QString target = {}; // what the page opens
};

struct ExplainerStep
{
    StateKind kind = StateKind::Unknown; // Ok: holds; what cannot be answered is Unknown
    bool isSkipped = false; // behind the first failing step: "not looked at yet"
    QString finding = {};
    QString evidence = {}; // exact values, source and time
    QList<ExplainerLink> links = {};
};

struct Explanation
{
    QString question = {}; // "Credited twice?"
    StateKind verdict = StateKind::Unknown;
    QString sentence = {}; // one sentence …
    QString consequence = {}; // … and one consequence
    QList<ExplainerStep> steps = {};
    QString customerEnglish = {}; // facts only, from the same data in both languages
    QString customerRussian = {};
    QString asOf = {}; // "14:26:08 UTC"
    QString bound = {}; // what was searched
};

/**
 * Verdict bar, steps, and directly under them the sentence for the customer. The first step that
 * does not hold stands out. It recomputes only when asked: F5 in it, or its button.
 */
class ExplainerView final : public QScrollArea
{
    Q_OBJECT

public:
    explicit ExplainerView(QWidget* parent = nullptr);

    void setExplanation(const Explanation& explanation);
    /** The first step that is neither Ok, Info nor skipped; -1 if all hold. */
    static int firstFailing(const QList<ExplainerStep>& steps);
    QString customerSentence() const;

signals:
    void recomputeRequested();
    void closeRequested();
    void linkActivated(const QString& target);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void rebuild();
    void addHead(QVBoxLayout& column);
    void addVerdict(QVBoxLayout& column);
    void addSteps(QVBoxLayout& column);
    void addCustomer(QVBoxLayout& column);

    Explanation m_explanation;
    bool m_isRussian; // the customer's language, at first the console's
    QLabel* m_customer = nullptr;
};

} // namespace ui
