#include "ui/widgets/explainer_parts.h"

#include "ui/widgets/style_sheet.h"
#include "ui/widgets/widget_parts.h"
#include "ui/widgets/words.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>

namespace ui {

namespace {

void paintTone(QPainter& painter, const QRect& rect, StateKind kind)
{
    const Tone& tone = currentTheme().of(kind);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(currentTheme().isHighContrast ? QPen{tone.text, 1} : QPen{Qt::NoPen});
    painter.setBrush(tone.soft);
    painter.drawRoundedRect(QRectF{rect}.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
}

QLabel* wrapped(const char* look, const QString& text, QWidget* parent)
{
    QLabel* label = makeLabel(look, parent);
    label->setText(text);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse); // exact values are copied
    return label;
}

} // namespace

ToneGround::ToneGround(StateKind kind, Edge edge, QWidget* parent)
    : QWidget{parent}
    , m_kind{kind}
    , m_edge{edge}
{}

void ToneGround::paintEvent(QPaintEvent*)
{
    QPainter painter{this};
    paintTone(painter, rect(), m_kind);
    if (m_edge == Edge::Bar) {
        const bool isMirrored = layoutDirection() == Qt::RightToLeft;
        painter.setClipRect(isMirrored ? width() - 3 : 0, 0, 3, height());
        painter.setPen(Qt::NoPen);
        painter.setBrush(currentTheme().of(m_kind).fill);
        painter.drawRoundedRect(rect(), 6, 6);
    }
}

StepRow::StepRow(const ExplainerStep& step, bool isFirstFailing, QWidget* parent)
    : QWidget{parent}
    , m_kind{step.kind}
    , m_isFirstFailing{isFirstFailing}
{
    auto* row = new QHBoxLayout{this};
    row->setContentsMargins(8, 6, 8, 6);
    row->setSpacing(8);
    const Icon shape = step.isSkipped ? Icon::Skip : iconOf(step.kind);
    const IconTone tone = step.isSkipped ? IconTone::Muted : fillTone(step.kind);
    row->addWidget(new IconLabel{shape, tone, 18, this}, 0, Qt::AlignTop);
    auto* column = new QVBoxLayout;
    column->setSpacing(0);
    column->addWidget(wrapped(isFirstFailing ? "card-title" : "", step.finding, this));
    const QString evidence
        = step.isSkipped && step.evidence.isEmpty() ? tr("not looked at yet") : step.evidence;
    if (!evidence.isEmpty()) {
        column->addWidget(wrapped("muted", evidence, this));
    }
    if (!step.links.isEmpty()) {
        auto* links = new QHBoxLayout;
        links->setSpacing(8);
        for (const ExplainerLink& link : step.links) {
            QPushButton* button = makeButton(link.text, "link", this);
            connect(button, &QPushButton::clicked, this,
                [this, target = link.target] { emit linkActivated(target); });
            links->addWidget(button);
        }
        links->addStretch();
        column->addLayout(links);
    }
    row->addLayout(column, 1);
    const QString word = step.isSkipped ? tr("not looked at yet")
                                        : stateWord(WordSet::Health,
                                            step.kind == StateKind::Ok            ? u"ok"
                                                : step.kind == StateKind::Unknown ? u"unknown"
                                                : step.kind == StateKind::Danger  ? u"critical"
                                                : step.kind == StateKind::Waiting ? u"waiting"
                                                                                  : u"warning")
                                              .text;
    setAccessibleName(
        step.finding + QStringLiteral(", ") + word + QStringLiteral(", ") + step.evidence);
}

void StepRow::paintEvent(QPaintEvent*)
{
    QPainter painter{this};
    if (m_isFirstFailing) {
        // An unknown step stands on the ground of the verdict it leads to.
        paintTone(painter, rect(), m_kind);
    } else {
        painter.fillRect(8, height() - 1, width() - 16, 1, currentTheme().grid);
    }
}

} // namespace ui
