// What the tests of delegates share: a cell with roles, and a picture of how it is drawn.
#pragma once

#include "ui/data/cell_role.h"

#include <QAbstractItemDelegate>
#include <QApplication>
#include <QImage>
#include <QPainter>
#include <QStandardItemModel>
#include <QStyleOptionViewItem>

#include <cstdlib>

namespace cells {

using Roles = QMap<int, QVariant>;

/** A model of one row, a cell for each set of roles. */
inline void fill(QStandardItemModel& model, const QList<Roles>& row)
{
    QList<QStandardItem*> items;
    for (const Roles& roles : row) {
        auto* item = new QStandardItem;
        for (auto at = roles.begin(); at != roles.end(); ++at) {
            item->setData(at.value(), at.key());
        }
        items << item;
    }
    model.appendRow(items);
}

/** The cell as the delegate draws it. */
inline QImage drawn(const QAbstractItemDelegate& delegate, const QModelIndex& index, int width,
    QStyle::State state = QStyle::State_Enabled, Qt::LayoutDirection direction = Qt::LeftToRight)
{
    QImage image{width, 27, QImage::Format_ARGB32};
    image.fill(Qt::transparent);
    QPainter painter{&image};
    QStyleOptionViewItem option;
    option.rect = image.rect();
    option.state = state;
    option.direction = direction;
    painter.setLayoutDirection(direction); // as a view's painter has it
    delegate.paint(&painter, option, index);
    return image;
}

/** Whether some pixel has this colour, or nearly: strokes of text blend with their ground. */
inline bool shows(const QImage& image, const QColor& color)
{
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const QColor here = image.pixelColor(x, y);
            if (std::abs(here.red() - color.red()) < 24
                && std::abs(here.green() - color.green()) < 24
                && std::abs(here.blue() - color.blue()) < 24) {
                return true;
            }
        }
    }
    return false;
}

} // namespace cells
