#include "ui/widgets/filter_chips.h"

#include "ui/widgets/chip.h"
#include "ui/widgets/choice_popup.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/style_sheet.h"
#include "ui/widgets/widget_parts.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {

namespace {

QString labelOfValue(const FilterKey& key, const FilterTerm& term)
{
    for (const FilterChoice& choice : key.choices) {
        if (choice.value == term.value) {
            return term.op == FilterOp::IsNot ? QChar{0x2260} + choice.label : choice.label;
        }
    }
    switch (term.op) {
    case FilterOp::Is:
        return term.value;
    case FilterOp::IsNot:
        return QChar{0x2260} + term.value; // ≠
    case FilterOp::Above:
        return u'>' + term.value;
    case FilterOp::Below:
        return u'<' + term.value;
    }
    return term.value;
}

} // namespace

FilterChips::FilterChips(const QList<FilterKey>& keys, const QString& textHint, QWidget* parent)
    : QWidget{parent}
    , m_keys{keys}
    , m_chips{new QWidget{this}}
    , m_chipRow{new QHBoxLayout{m_chips}}
    , m_text{new QLineEdit{this}}
    , m_line{new QLineEdit{this}}
    , m_complaint{makeLabel("danger", this)}
    , m_end{new QHBoxLayout}
    , m_debounce{new QTimer{this}}
{
    auto* row = new QHBoxLayout{this};
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(m_chips);
    row->addWidget(m_line, 10);
    row->addWidget(m_complaint);
    row->addWidget(m_text, 10);
    row->addStretch(1);
    row->addLayout(m_end);
    m_chipRow->setContentsMargins(0, 0, 0, 0);
    m_chipRow->setSpacing(8);
    m_end->setSpacing(8);

    m_text->setPlaceholderText(textHint);
    m_text->setAccessibleName(textHint);
    m_text->setMaximumWidth(320);
    m_text->setMinimumWidth(120);
    m_text->addAction(icon(Icon::Lookup, IconTone::Muted), QLineEdit::LeadingPosition);
    setLook(*m_text, "chip-row");
    m_text->installEventFilter(this);
    m_line->setAccessibleName(tr("Filter as one line"));
    m_line->setPlaceholderText(QStringLiteral("state:open age>1h"));
    setLook(*m_line, "chip-row");
    m_line->installEventFilter(this);
    m_line->hide();
    m_complaint->hide();

    m_debounce->setSingleShot(true);
    m_debounce->setInterval(kDebounce);
    connect(m_text, &QLineEdit::textEdited, m_debounce, qOverload<>(&QTimer::start));
    connect(m_debounce, &QTimer::timeout, this, [this] {
        Filter filter = m_filter;
        filter.text = m_text->text().trimmed();
        change(filter);
    });
    connect(m_line, &QLineEdit::returnPressed, this, &FilterChips::takeLine);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    rebuild();
}

void FilterChips::setFilter(const Filter& filter)
{
    m_debounce->stop();
    m_filter = filter;
    m_text->setText(filter.text);
    rebuild();
}

void FilterChips::focusText()
{
    leaveLine();
    m_text->setFocus(Qt::ShortcutFocusReason);
    m_text->selectAll();
}

void FilterChips::editLine()
{
    m_line->setText(toLine(m_filter));
    m_chips->hide();
    m_text->hide();
    m_line->show();
    m_line->setFocus(Qt::ShortcutFocusReason);
}

void FilterChips::addAtEnd(QWidget* widget)
{
    m_end->addWidget(widget);
}

void FilterChips::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) {
        rebuild();
    }
    QWidget::changeEvent(event);
}

bool FilterChips::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress
        && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        if (watched == m_line) {
            leaveLine();
            return true;
        }
        if (watched == m_text && !m_text->text().isEmpty()) {
            m_debounce->stop();
            m_text->clear();
            Filter filter = m_filter;
            filter.text.clear();
            change(filter);
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void FilterChips::rebuild()
{
    const auto* focused = qobject_cast<Chip*>(m_chips->focusWidget());
    const QString focusedKey
        = focused != nullptr && focused->hasFocus() ? focused->objectName() : QString{};
    while (QLayoutItem* item = m_chipRow->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater(); // it may be the chip whose signal brought us here
        delete item;
    }
    QList<FilterKey> hidden;
    for (const FilterKey& key : m_keys) {
        if (key.isOffered || m_filter.termOf(key.key) != nullptr) {
            addChip(key);
        } else {
            hidden << key;
        }
    }
    if (!hidden.isEmpty()) {
        addMore(hidden);
    }
    if (!focusedKey.isEmpty()) {
        focusChip(focusedKey); // the keyboard stays where it was
    }
}

void FilterChips::addMore(const QList<FilterKey>& hidden)
{
    auto* more = new Chip{m_chips};
    more->setContent(tr("+ Filter"), {});
    m_chipRow->addWidget(more);
    more->show();
    connect(more, &QAbstractButton::clicked, this, [this, hidden, more] {
        auto* menu = new QMenu{more};
        menu->setAttribute(Qt::WA_DeleteOnClose);
        for (const FilterKey& key : hidden) {
            menu->addAction(key.label, this, [this, key, more] { choose(key, more); });
        }
        menu->popup(more->mapToGlobal(QPoint{0, more->height() + 2}));
    });
}

void FilterChips::addChip(const FilterKey& key)
{
    auto* chip = new Chip{m_chips};
    const FilterTerm* term = m_filter.termOf(key.key);
    chip->setContent(key.label, term != nullptr ? labelOfValue(key, *term) : tr("any"));
    chip->setActive(term != nullptr, true);
    chip->setObjectName(key.key);
    m_chipRow->addWidget(chip);
    chip->show(); // a child of a visible widget is not by itself
    connect(chip, &QAbstractButton::clicked, this, [this, key, chip] { choose(key, chip); });
    connect(chip, &Chip::removed, this, [this, name = key.key] {
        Filter filter = m_filter;
        filter.remove(name);
        change(filter);
    });
}

void FilterChips::choose(const FilterKey& key, QWidget* below)
{
    auto* popup = new ChoicePopup{key, m_filter.termOf(key.key), this};
    connect(popup, &ChoicePopup::chosen, this, [this, name = key.key](const QString& value) {
        Filter filter = m_filter;
        filter.set({name, FilterOp::Is, value});
        change(filter);
        focusChip(name);
    });
    popup->popUp(*below);
}

void FilterChips::focusChip(const QString& key)
{
    for (int i = 0; i < m_chipRow->count(); ++i) {
        if (QWidget* chip = m_chipRow->itemAt(i)->widget(); chip->objectName() == key) {
            chip->setFocus();
        }
    }
}

void FilterChips::change(const Filter& filter)
{
    if (filter == m_filter) {
        return;
    }
    m_filter = filter;
    rebuild();
    emit filterChanged(m_filter);
}

void FilterChips::takeLine()
{
    const auto filter = fromLine(m_line->text(), m_keys);
    if (!filter) {
        m_complaint->setText(QString::fromStdString(filter.error().message));
        m_complaint->show();
        return; // the line stays, so that it can be mended
    }
    m_text->setText(filter->text);
    leaveLine();
    change(*filter);
}

void FilterChips::leaveLine()
{
    m_line->hide();
    m_complaint->hide();
    m_chips->show();
    m_text->show();
    m_text->setFocus();
}

} // namespace ui
