#include "ui/widgets/message_bar.h"

#include "ui/widgets/style_sheet.h"
#include "ui/widgets/widget_parts.h"

#include <QAccessible>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QPainter>
#include <QTimer>
#include <QVBoxLayout>

namespace ui {

namespace {

constexpr int kMessageHeightPx = 36;
constexpr int kStripePx = 3;

// The whole sentence as one label: it wraps as text does, and is read as one.
QLabel* messageText(const Message& message, QWidget* parent)
{
    auto* text = new QLabel{parent};
    text->setTextFormat(Qt::RichText);
    text->setText(QStringLiteral("<b>%1</b>&nbsp; %2")
                      .arg(message.fact.toHtmlEscaped(), message.rest.toHtmlEscaped()));
    text->setWordWrap(true);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    text->setAccessibleName(message.fact + u' ' + message.rest);
    setTone(*text, message.kind);
    return text;
}

} // namespace

MessageLine::MessageLine(const Message& message, Close close, QWidget* parent)
    : QWidget{parent}
    , m_message{message}
{
    setMinimumHeight(kMessageHeightPx);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    setAccessibleName(message.fact + u' ' + message.rest);
    auto* row = new QHBoxLayout{this};
    row->setContentsMargins(14, 4, 8, 4);
    row->setSpacing(10);
    row->addWidget(new IconLabel{iconOf(message.kind), fillTone(message.kind), 18, this});
    row->addWidget(messageText(message, this), 1);
    if (!message.errorId.isEmpty()) {
        QPushButton* id = makeButton(message.errorId, "link", this);
        id->setIcon(icon(Icon::Copy, IconTone::Muted));
        id->setAccessibleName(tr("Copy the error id %1").arg(message.errorId));
        id->setToolTip(tr("Copy the error id"));
        connect(id, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(m_message.errorId); });
        row->addWidget(id);
    }
    if (!message.action.isEmpty()) {
        QPushButton* action = makeButton(message.action, "link", this);
        connect(action, &QPushButton::clicked, this, &MessageLine::actionTriggered);
        row->addWidget(action);
    }
    if (close == Close::Closable) {
        QToolButton* button = makeIconButton(Icon::Close, tr("Close this message"), this);
        setLook(*button, "flat-small");
        connect(button, &QToolButton::clicked, this, &MessageLine::closeRequested);
        row->addWidget(button);
    }
}

void MessageLine::paintEvent(QPaintEvent*)
{
    const Tone& tone = currentTheme().of(m_message.kind);
    QPainter painter{this};
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(currentTheme().isHighContrast ? QPen{tone.text, 1} : QPen{Qt::NoPen});
    painter.setBrush(tone.soft);
    painter.drawRoundedRect(QRectF{rect()}.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    const bool isMirrored = layoutDirection() == Qt::RightToLeft;
    painter.setClipRect(isMirrored ? width() - kStripePx : 0, 0, kStripePx, height());
    painter.setPen(Qt::NoPen);
    painter.setBrush(tone.fill);
    painter.drawRoundedRect(rect(), 6, 6);
}

MessageBar::MessageBar(QWidget* parent)
    : QWidget{parent}
    , m_column{new QVBoxLayout{this}}
    , m_more{new QWidget{this}}
    , m_moreText{makeLabel("muted", m_more)}
{
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(4);
    auto* row = new QHBoxLayout{m_more};
    row->setContentsMargins(14, 0, 0, 0);
    QPushButton* all = makeButton(tr("Show all messages"), "link", m_more);
    connect(all, &QPushButton::clicked, this, [this] {
        m_isOpen = true;
        arrange();
    });
    QPushButton* none = makeButton(tr("Close all messages"), "link", m_more);
    connect(none, &QPushButton::clicked, this, &MessageBar::closeAll);
    row->addWidget(m_moreText);
    row->addWidget(all);
    row->addWidget(none);
    row->addStretch();
    m_column->addWidget(m_more);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    arrange();
}

int MessageBar::post(const Message& message)
{
    const int number = ++m_last;
    auto* line = new MessageLine{message, MessageLine::Close::Closable, this};
    connect(line, &MessageLine::actionTriggered, this,
        [this, number] { emit actionTriggered(number); });
    connect(line, &MessageLine::closeRequested, this, [this, number] { close(number); });
    if (message.expiresAfter) {
        QTimer::singleShot(*message.expiresAfter, line, [this, number] { close(number); });
    }
    m_entries.prepend({number, line});
    m_column->insertWidget(0, line);
    arrange();
    QAccessibleEvent alert{line, QAccessible::Alert}; // screen readers read it out at once
    QAccessible::updateAccessibility(&alert);
    return number;
}

void MessageBar::close(int number)
{
    for (qsizetype i = 0; i < m_entries.size(); ++i) {
        if (m_entries[i].number == number) {
            m_entries[i].line->hide();
            m_entries[i].line->deleteLater(); // its own button may be the one that asks
            m_entries.removeAt(i);
            arrange();
            emit closed(number);
            return;
        }
    }
}

void MessageBar::closeAll()
{
    while (!m_entries.isEmpty()) {
        close(m_entries.last().number);
    }
}

void MessageBar::arrange()
{
    m_isOpen = m_isOpen && m_entries.size() > kShownMax;
    for (qsizetype i = 0; i < m_entries.size(); ++i) {
        m_entries[i].line->setVisible(m_isOpen || i < kShownMax);
    }
    const int hidden = m_isOpen ? 0 : std::max(0, count() - kShownMax);
    m_moreText->setText(tr("and %n more", nullptr, hidden));
    m_more->setVisible(hidden > 0);
    setVisible(!m_entries.isEmpty());
}

} // namespace ui
