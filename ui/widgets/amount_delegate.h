// AmountDelegate: a column of exact amounts, decimal points under each other.
#pragma once

#include "ui/widgets/amount_text.h"
#include "ui/widgets/cell_delegate.h"

#include <optional>

namespace ui {

/**
 * Reads RawRole (exact decimal text), UnitRole and MovedRole. A cell without RawRole shows its
 * DisplayRole in `muted` ("no posting", "not known") – never 0.
 */
class AmountDelegate final : public CellDelegate
{
    Q_OBJECT

public:
    explicit AmountDelegate(QObject* parent = nullptr);

    /** The widest integer part and unit the column has to hold: 2 digits and "USDC" at first. */
    void setRoom(int wholeDigits, const QString& widestUnit);

    /** What the column must be given: 246 up to 99, 258 up to 999,999, or what is measured. */
    int columnWidth() const;

    /** The amount of a cell; nothing if it has none. */
    static std::optional<AmountText> amountOf(const QModelIndex& index);

protected:
    void paintContent(QPainter& painter, const QRect& room, const QStyleOptionViewItem& option,
        const QModelIndex& index) const override;
    int contentWidth(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    int m_wholeDigits = 2;
    QString m_unit;
};

} // namespace ui
