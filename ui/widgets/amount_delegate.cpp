#include "ui/widgets/amount_delegate.h"

#include "ui/data/cell_role.h"
#include "ui/widgets/amount_paint.h"
#include "ui/widgets/theme.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ui {

namespace {

constexpr int kWidthTo99 = 246;
constexpr int kWidthTo999999 = 258;

} // namespace

AmountDelegate::AmountDelegate(QObject* parent)
    : CellDelegate{Look::Muted, parent}
    , m_unit{QStringLiteral("USDC")}
{}

void AmountDelegate::setRoom(int wholeDigits, const QString& widestUnit)
{
    m_wholeDigits = wholeDigits;
    m_unit = widestUnit;
}

int AmountDelegate::columnWidth() const
{
    const int least = m_wholeDigits <= 2 ? kWidthTo99 : kWidthTo999999;
    const AmountColumn column = AmountColumn::measured(m_wholeDigits, m_unit);
    return std::max(least, int(std::ceil(column.width())) + 2 * kPaddingPx);
}

std::optional<AmountText> AmountDelegate::amountOf(const QModelIndex& index)
{
    const QVariant raw = index.data(RawRole);
    if (!raw.isValid() || raw.isNull()) {
        return std::nullopt;
    }
    const auto sign
        = index.data(MovedRole).toBool() ? AmountText::Sign::Moved : AmountText::Sign::Held;
    return AmountText::fromNumeric(raw.toString(), index.data(UnitRole).toString(), sign);
}

void AmountDelegate::paintContent(QPainter& painter, const QRect& room,
    const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const std::optional<AmountText> text = amountOf(index);
    if (!text) {
        CellDelegate::paintContent(painter, room, option, index);
        return;
    }
    AmountColors colors = AmountColors::of(*text, index.data(MovedRole).toBool());
    if (!(option.state & QStyle::State_Enabled)) {
        colors = AmountColors::uniform(currentTheme().disabled);
    }
    paintAmount(painter, room, *text, AmountColumn::measured(m_wholeDigits, m_unit), colors);
}

int AmountDelegate::contentWidth(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const std::optional<AmountText> text = amountOf(index);
    if (!text) {
        return CellDelegate::contentWidth(option, index);
    }
    const int digits = int(std::count_if(
        text->whole().begin(), text->whole().end(), [](QChar c) { return c.isDigit(); }));
    return int(std::ceil(AmountColumn::measured(std::max(digits, m_wholeDigits),
        text->unit().size() > m_unit.size() ? text->unit() : m_unit)
                             .width()));
}

} // namespace ui
