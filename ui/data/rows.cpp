#include "ui/data/rows.h"

namespace ui {

const QVariant& Row::cell(int column) const
{
    CHECK(column >= 0 && column < m_cells.size());
    return m_cells[column];
}

bool Row::isNull(int column) const
{
    return cell(column).isNull();
}

qint64 Row::integer(int column) const
{
    bool isNumber = false;
    const qint64 value = cell(column).toLongLong(&isNumber);
    CHECK(isNumber && !isNull(column));
    return value;
}

bool Row::boolean(int column) const
{
    CHECK(!isNull(column));
    return cell(column).toBool();
}

QString Row::text(int column) const
{
    return cell(column).toString();
}

QByteArray Row::bytes(int column) const
{
    return cell(column).toByteArray();
}

domain::Amount Row::amount(int column) const
{
    const auto value = domain::Amount::fromNumeric(text(column).toStdString());
    CHECK(value); // numeric(38,18) or a sum of such, by the schema
    return *value;
}

Moment Row::moment(int column) const
{
    const auto value = Moment::fromDatabase(text(column));
    CHECK(value);
    return *value;
}

std::optional<qint64> Row::maybeInteger(int column) const
{
    if (isNull(column)) return std::nullopt;
    return integer(column);
}

std::optional<domain::Amount> Row::maybeAmount(int column) const
{
    if (isNull(column)) return std::nullopt;
    return amount(column);
}

std::optional<Moment> Row::maybeMoment(int column) const
{
    return Moment::fromDatabase(text(column));
}

} // namespace ui
