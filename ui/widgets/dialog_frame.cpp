#include "ui/widgets/dialog_frame.h"

#include "ui/widgets/environment_chip.h"
#include "ui/widgets/lock_button.h"
#include "ui/widgets/phrases.h"
#include "ui/widgets/style_sheet.h"
#include "ui/widgets/veil.h"
#include "ui/widgets/widget_parts.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>
#include <QVBoxLayout>

namespace ui {

namespace {

constexpr int kGradeTwoPx = 520;
constexpr int kGradeThreePx = 884;
constexpr int kDialogSidePx = 20;

QVBoxLayout* labelled(QLabel* label, QLineEdit* field)
{
    auto* column = new QVBoxLayout;
    column->setSpacing(3);
    column->addWidget(label);
    column->addWidget(field);
    label->setBuddy(field);
    label->hide();
    field->hide();
    return column;
}

} // namespace

DialogFrame::DialogFrame(
    Grade grade, Environment environment, QWidget* parent, std::chrono::milliseconds lock)
    : QDialog{parent}
    , m_grade{grade}
    , m_environment{environment}
    , m_lock{grade == Grade::Three ? lock : std::chrono::milliseconds{0}}
{
    setWindowModality(Qt::WindowModal);
    setWindowFlag(Qt::FramelessWindowHint, parent != nullptr);
    setFixedWidth(grade == Grade::Three ? kGradeThreePx : kGradeTwoPx);
    auto* column = new QVBoxLayout{this};
    column->setContentsMargins(1, 1, 1, 1);
    column->setSpacing(0);
    auto* inside = new QVBoxLayout;
    inside->setContentsMargins(kDialogSidePx, 14, kDialogSidePx, 14);
    inside->setSpacing(12);
    inside->addLayout(makeHead());
    m_body = new QVBoxLayout;
    m_body->setSpacing(12);
    inside->addLayout(m_body, 1);
    inside->addLayout(makeFields());
    column->addLayout(inside, 1);
    column->addWidget(makeBottom());
    judge();
}

DialogFrame::~DialogFrame() = default;

QLayout* DialogFrame::makeHead()
{
    auto* row = new QHBoxLayout;
    row->setSpacing(12);
    m_icon = new IconLabel{Icon::Shield, IconTone::Accent, 24, this};
    row->addWidget(m_icon);
    auto* text = new QVBoxLayout;
    text->setSpacing(0);
    m_title = makeLabel("dialog-title", this);
    m_effect = makeLabel("muted", this);
    m_effect->setWordWrap(true);
    text->addWidget(m_title);
    text->addWidget(m_effect);
    row->addLayout(text, 1);
    row->addWidget(new EnvironmentChip{m_environment, this}, 0, Qt::AlignVCenter);
    return row;
}

QLayout* DialogFrame::makeFields()
{
    auto* row = new QHBoxLayout;
    row->setSpacing(14);
    m_reasonLabel = makeLabel("muted", this);
    m_reason = new QLineEdit{this};
    m_numberLabel = makeLabel("muted", this);
    m_number = new QLineEdit{this};
    row->addLayout(labelled(m_reasonLabel, m_reason), 5);
    row->addLayout(labelled(m_numberLabel, m_number), 2);
    connect(m_reason, &QLineEdit::textChanged, this, &DialogFrame::judge);
    connect(m_number, &QLineEdit::textChanged, this, &DialogFrame::judge);
    return row;
}

QWidget* DialogFrame::makeBottom()
{
    auto* bottom = new QFrame{this};
    setLook(*bottom, "dialog-bottom");
    auto* row = new QHBoxLayout{bottom};
    row->setContentsMargins(kDialogSidePx, 12, kDialogSidePx, 12);
    row->setSpacing(10);
    m_opposite = makeButton({}, "", bottom);
    m_opposite->hide();
    m_waits = makeLabel("muted", bottom);
    m_cancel = makeButton(tr("Cancel"), "", bottom);
    m_cancel->setAutoDefault(true);
    m_cancel->setDefault(true);
    m_act = new LockButton{bottom, m_lock};
    row->addWidget(m_opposite);
    row->addStretch();
    row->addWidget(m_waits);
    row->addWidget(m_cancel);
    row->addWidget(m_act);
    connect(m_cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_opposite, &QPushButton::clicked, this, &DialogFrame::opposed);
    connect(m_act, &QPushButton::clicked, this, &DialogFrame::acted);
    connect(m_act, &LockButton::lockChanged, this, [this] { m_waits->setText(waitsFor()); });
    return bottom;
}

void DialogFrame::setHead(Icon icon, const QString& title, const QString& effect)
{
    m_icon->setIcon(icon, IconTone::Accent);
    m_title->setText(title);
    m_effect->setText(effect);
    setWindowTitle(title);
    setAccessibleName(title);
    setAccessibleDescription(effect);
}

QBoxLayout& DialogFrame::body()
{
    return *m_body;
}

void DialogFrame::setAct(const QString& act, Icon which, const QString& opposite)
{
    m_act->setText(act);
    m_act->setIcon(icon(m_grade == Grade::Three ? Icon::Lock : which));
    m_opposite->setText(opposite);
    m_opposite->setVisible(!opposite.isEmpty());
}

void DialogFrame::needReason(const QString& label)
{
    m_needsReason = true;
    m_reasonLabel->setText(label);
    m_reason->setAccessibleName(label);
    m_reasonLabel->show();
    m_reason->show();
    judge();
}

void DialogFrame::needNumber(qint64 number, const QString& label)
{
    m_needsNumber = true;
    m_wantedNumber = number;
    m_numberLabel->setText(label);
    m_number->setAccessibleName(label);
    m_numberLabel->show();
    m_number->show();
    judge();
}

void DialogFrame::setBlocked(const QString& why)
{
    m_blocked = why;
    judge();
}

QString DialogFrame::reason() const
{
    return m_reason->text().trimmed();
}

QString DialogFrame::waitsFor() const
{
    if (!m_blocked.isEmpty()) {
        return m_blocked;
    }
    if (!m_act->isUnlocked()) {
        return m_lock.count() > 0 ? phrases::unlocksIn(m_act->secondsLeft()) : QString{};
    }
    if (m_needsReason && reason().isEmpty()) {
        return tr("The reason is missing");
    }
    if (m_needsNumber && m_number->text().trimmed() != QString::number(m_wantedNumber)) {
        return tr("The number is not typed");
    }
    return {};
}

void DialogFrame::judge()
{
    const bool hasReason = !m_needsReason || !reason().isEmpty();
    const bool hasNumber
        = !m_needsNumber || m_number->text().trimmed() == QString::number(m_wantedNumber);
    m_act->setReady(m_blocked.isEmpty() && hasReason && hasNumber);
    m_waits->setText(waitsFor());
    m_act->setAccessibleDescription(m_waits->text());
    m_act->setToolTip(m_waits->text());
}

void DialogFrame::showEvent(QShowEvent* event)
{
    QDialog::showEvent(event);
    // Wrapped text asks for more than it needs until its width is known.
    if (const int wanted = layout()->totalHeightForWidth(width()); wanted > 0) {
        resize(width(), wanted);
    }
    if (parentWidget() != nullptr) {
        m_veil = std::make_unique<Veil>(*parentWidget()->window());
    }
    m_act->restart();
    // The first thing to do is to read and to say why, not to press.
    (m_needsReason ? static_cast<QWidget*>(m_reason) : m_cancel)->setFocus();
}

void DialogFrame::hideEvent(QHideEvent* event)
{
    m_act->pause();
    m_veil.reset();
    QDialog::hideEvent(event);
}

void DialogFrame::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::ActivationChange && isVisible()) {
        // Time in which nobody looked does not count.
        if (isActiveWindow()) {
            m_act->restart();
        } else {
            m_act->pause();
        }
    }
    QDialog::changeEvent(event);
}

// Enter in a field is no decision, neither for the act nor against it.
void DialogFrame::keyPressEvent(QKeyEvent* event)
{
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (isEnter && (m_reason->hasFocus() || m_number->hasFocus())) {
        event->accept();
        return;
    }
    QDialog::keyPressEvent(event);
}

void DialogFrame::paintEvent(QPaintEvent* event)
{
    QDialog::paintEvent(event);
    QPainter painter{this};
    painter.setPen(currentTheme().control);
    painter.setBrush(currentTheme().surface);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

} // namespace ui
