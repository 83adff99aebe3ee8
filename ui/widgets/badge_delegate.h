// BadgeDelegate: a column of states, each as shape and word.
#pragma once

#include "ui/widgets/cell_delegate.h"
#include "ui/widgets/words.h"

#include <optional>

namespace ui {

/** Reads RawRole (the state's public name) and DetailRole ("by operator-7"). */
class BadgeDelegate final : public CellDelegate
{
    Q_OBJECT

public:
    explicit BadgeDelegate(WordSet set, QObject* parent = nullptr);

protected:
    void paintContent(QPainter& painter, const QRect& room, const QStyleOptionViewItem& option,
        const QModelIndex& index) const override;
    int contentWidth(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    std::optional<StateWord> wordOf(const QModelIndex& index) const;

    WordSet m_set;
};

} // namespace ui
