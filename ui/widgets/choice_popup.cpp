#include "ui/widgets/choice_popup.h"

#include "ui/widgets/style_sheet.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QVBoxLayout>

namespace ui {

namespace {

constexpr int kPopupWidthPx = 240;
constexpr int kPopupListPx = 220;

} // namespace

ChoicePopup::ChoicePopup(const FilterKey& key, const FilterTerm* current, QWidget* parent)
    : QFrame{parent, Qt::Popup}
    , m_choices{key.choices}
    , m_typed{new QLineEdit{this}}
    , m_list{new QListWidget{this}}
{
    setAttribute(Qt::WA_DeleteOnClose);
    setLook(*this, "popup");
    setAccessibleName(key.label);
    auto* column = new QVBoxLayout{this};
    column->setContentsMargins(8, 8, 8, 8);
    column->addWidget(m_typed);
    column->addWidget(m_list);
    m_typed->setPlaceholderText(m_choices.isEmpty() ? tr("Type a value") : tr("Type to narrow"));
    m_typed->setAccessibleName(key.label);
    m_typed->installEventFilter(this);
    m_list->setAccessibleName(key.label);
    m_list->setFocusPolicy(Qt::NoFocus); // arrows in the field move it
    m_list->setFixedHeight(kPopupListPx);
    m_list->setVisible(!m_choices.isEmpty());
    setFixedWidth(kPopupWidthPx);
    connect(m_typed, &QLineEdit::textEdited, this, &ChoicePopup::narrow);
    connect(m_list, &QListWidget::itemClicked, this, &ChoicePopup::take);
    narrow({});
    for (int row = 0; current != nullptr && row < m_list->count(); ++row) {
        if (m_list->item(row)->data(Qt::UserRole).toString() == current->value) {
            m_list->setCurrentRow(row);
        }
    }
    if (current != nullptr && m_choices.isEmpty()) {
        m_typed->setText(current->value);
    }
}

void ChoicePopup::popUp(const QWidget& below)
{
    adjustSize();
    const bool isMirrored = below.layoutDirection() == Qt::RightToLeft;
    const int x = isMirrored ? below.width() - width() : 0;
    move(below.mapToGlobal(QPoint{x, below.height() + 2}));
    show();
    m_typed->setFocus();
}

bool ChoicePopup::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_typed || event->type() != QEvent::KeyPress) {
        return QFrame::eventFilter(watched, event);
    }
    switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Down:
        m_list->setCurrentRow(std::min(m_list->currentRow() + 1, m_list->count() - 1));
        return true;
    case Qt::Key_Up:
        m_list->setCurrentRow(std::max(m_list->currentRow() - 1, 0));
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        take();
        return true;
    default:
        return QFrame::eventFilter(watched, event);
    }
}

void ChoicePopup::narrow(const QString& typed)
{
    m_list->clear();
    for (const FilterChoice& choice : m_choices) {
        if (choice.label.contains(typed, Qt::CaseInsensitive)
            || choice.value.contains(typed, Qt::CaseInsensitive)) {
            auto* item = new QListWidgetItem{choice.label, m_list};
            item->setData(Qt::UserRole, choice.value);
        }
    }
    m_list->setCurrentRow(m_list->count() > 0 ? 0 : -1);
}

void ChoicePopup::take()
{
    const QListWidgetItem* item = m_list->currentItem();
    const QString value = m_choices.isEmpty() ? m_typed->text().trimmed()
        : item != nullptr                     ? item->data(Qt::UserRole).toString()
                                              : QString{};
    if (!value.isEmpty()) {
        emit chosen(value);
        close();
    }
}

} // namespace ui
