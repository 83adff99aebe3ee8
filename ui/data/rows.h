// Rows of one answer as exact values. Null is an empty optional; amounts never pass a double.
#pragma once

#include "processor/domain/amount.h"
#include "ui/data/moment.h"

#include <QByteArray>
#include <QList>
#include <QString>
#include <QVariant>

#include <optional>
#include <utility>

namespace ui {

/** Reads one row by position. A cell that is not what the statement promised is a bug: CHECK. */
class Row
{
public:
    // Braces would make a list that holds the list.
    explicit Row(QVariantList cells) : m_cells(std::move(cells)) {}

    bool isNull(int column) const;
    qint64 integer(int column) const;
    bool boolean(int column) const;
    QString text(int column) const; // "" for null
    QByteArray bytes(int column) const; // of a bytea; null array for null
    domain::Amount amount(int column) const; // of a numeric as text
    Moment moment(int column) const; // of a timestamptz as text
    std::optional<qint64> maybeInteger(int column) const;
    std::optional<domain::Amount> maybeAmount(int column) const;
    std::optional<Moment> maybeMoment(int column) const; // empty for infinity, too

private:
    const QVariant& cell(int column) const;

    QVariantList m_cells;
};

using Rows = QList<Row>;

} // namespace ui
