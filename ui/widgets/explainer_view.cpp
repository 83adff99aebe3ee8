#include "ui/widgets/explainer_view.h"

#include "ui/widgets/explainer_parts.h"
#include "ui/widgets/segmented.h"
#include "ui/widgets/style_sheet.h"
#include "ui/widgets/widget_parts.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLocale>
#include <QVBoxLayout>

namespace ui {

ExplainerView::ExplainerView(QWidget* parent)
    : QScrollArea{parent}
    , m_isRussian{QLocale{}.language() == QLocale::Russian}
{
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFrameShape(NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setLook(*this, "explainer");
}

void ExplainerView::setExplanation(const Explanation& explanation)
{
    m_explanation = explanation;
    rebuild();
}

int ExplainerView::firstFailing(const QList<ExplainerStep>& steps)
{
    for (int i = 0; i < steps.size(); ++i) {
        const StateKind kind = steps[i].kind;
        if (!steps[i].isSkipped && kind != StateKind::Ok && kind != StateKind::Info) {
            return i;
        }
    }
    return -1;
}

QString ExplainerView::customerSentence() const
{
    return m_isRussian ? m_explanation.customerRussian : m_explanation.customerEnglish;
}

void ExplainerView::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_F5) {
        emit recomputeRequested();
        return; // not the page's F5: old verdicts change only by this one
    }
    QScrollArea::keyPressEvent(event);
}

void ExplainerView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange && !m_explanation.question.isEmpty()) {
        rebuild();
    }
    QScrollArea::changeEvent(event);
}

void ExplainerView::rebuild()
{
    auto* content = new QWidget{this};
    setLook(*content, "explainer");
    auto* column = new QVBoxLayout{content};
    column->setContentsMargins(14, 8, 14, 14);
    column->setSpacing(0);
    addHead(*column);
    column->addSpacing(8);
    addVerdict(*column);
    column->addSpacing(4);
    addSteps(*column);
    column->addSpacing(12);
    addCustomer(*column);
    if (!m_explanation.bound.isEmpty()) {
        column->addSpacing(8);
        QLabel* bound = makeLabel("muted", content);
        bound->setText(m_explanation.bound);
        bound->setWordWrap(true);
        column->addWidget(bound);
    }
    column->addStretch();
    setWidget(content); // the old one is deleted
    setAccessibleName(m_explanation.question);
    setAccessibleDescription(m_explanation.sentence + u' ' + m_explanation.consequence);
}

void ExplainerView::addHead(QVBoxLayout& column)
{
    auto* row = new QHBoxLayout;
    row->setSpacing(6);
    QLabel* title = makeLabel("card-title");
    title->setText(m_explanation.question);
    QLabel* asOf = makeLabel("muted");
    asOf->setText(m_explanation.asOf);
    QToolButton* again = makeIconButton(Icon::Refresh, tr("Look again (F5 in here)"));
    connect(again, &QToolButton::clicked, this, &ExplainerView::recomputeRequested);
    QToolButton* close = makeIconButton(Icon::Close, tr("Close the explainer"));
    connect(close, &QToolButton::clicked, this, &ExplainerView::closeRequested);
    row->addWidget(title, 1);
    row->addWidget(asOf);
    row->addWidget(again);
    row->addWidget(close);
    column.addLayout(row);
}

void ExplainerView::addVerdict(QVBoxLayout& column)
{
    const StateKind kind = m_explanation.verdict;
    auto* bar = new ToneGround{kind, ToneGround::Edge::Bar};
    bar->setAccessibleName(m_explanation.sentence);
    auto* row = new QHBoxLayout{bar};
    row->setContentsMargins(14, 8, 12, 8);
    row->setSpacing(10);
    row->addWidget(new IconLabel{iconOf(kind), fillTone(kind), 20, bar}, 0, Qt::AlignTop);
    auto* text = new QVBoxLayout;
    text->setSpacing(0);
    QLabel* sentence = makeLabel("card-title", bar);
    setTone(*sentence, kind);
    sentence->setText(m_explanation.sentence);
    QLabel* consequence = makeLabel("small", bar);
    consequence->setText(m_explanation.consequence);
    for (QLabel* label : {sentence, consequence}) {
        label->setWordWrap(true);
        text->addWidget(label);
    }
    row->addLayout(text, 1);
    column.addWidget(bar);
}

void ExplainerView::addSteps(QVBoxLayout& column)
{
    const int failing = firstFailing(m_explanation.steps);
    for (int i = 0; i < m_explanation.steps.size(); ++i) {
        auto* row = new StepRow{m_explanation.steps[i], i == failing};
        connect(row, &StepRow::linkActivated, this, &ExplainerView::linkActivated);
        column.addWidget(row);
    }
}

void ExplainerView::addCustomer(QVBoxLayout& column)
{
    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    QLabel* title = makeLabel("card-title");
    title->setText(tr("Sentence for the customer"));
    auto* language = new Segmented{
        tr("Language of the sentence"), {QStringLiteral("en"), QStringLiteral("ru")}};
    language->setCurrent(m_isRussian ? 1 : 0);
    QPushButton* copy = makeButton(tr("Copy"), "small");
    copy->setIcon(icon(Icon::Copy));
    copy->setAccessibleName(tr("Copy the sentence for the customer"));
    head->addWidget(title, 1);
    head->addWidget(language);
    head->addWidget(copy);
    column.addLayout(head);
    column.addSpacing(4);

    auto* box = new QFrame;
    setLook(*box, "box");
    auto* inside = new QVBoxLayout{box};
    inside->setContentsMargins(12, 10, 12, 10);
    m_customer = makeLabel("", box);
    m_customer->setWordWrap(true);
    m_customer->setText(customerSentence());
    m_customer->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    inside->addWidget(m_customer);
    column.addWidget(box);

    connect(language, &Segmented::chosen, this, [this](int index) {
        m_isRussian = index == 1;
        m_customer->setText(customerSentence());
    });
    connect(copy, &QPushButton::clicked, this,
        [this] { QGuiApplication::clipboard()->setText(customerSentence()); });
}

} // namespace ui
