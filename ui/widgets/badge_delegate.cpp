#include "ui/widgets/badge_delegate.h"

#include "ui/data/cell_role.h"
#include "ui/widgets/badge.h"

namespace ui {

BadgeDelegate::BadgeDelegate(WordSet set, QObject* parent)
    : CellDelegate{Look::Muted, parent}
    , m_set{set}
{}

std::optional<StateWord> BadgeDelegate::wordOf(const QModelIndex& index) const
{
    const QString name = index.data(RawRole).toString();
    if (name.isEmpty()) {
        return std::nullopt; // no state at all: the model's text says why
    }
    return stateWord(m_set, name, index.data(DetailRole).toString());
}

void BadgeDelegate::paintContent(QPainter& painter, const QRect& room,
    const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    if (const std::optional<StateWord> word = wordOf(index)) {
        paintBadge(painter, room, *word, option.direction);
    } else {
        CellDelegate::paintContent(painter, room, option, index);
    }
}

int BadgeDelegate::contentWidth(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const std::optional<StateWord> word = wordOf(index);
    return word ? badgeSize(*word).width() : CellDelegate::contentWidth(option, index);
}

} // namespace ui
