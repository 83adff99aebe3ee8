// TimelineDelegate: draws a row of the timeline.
#pragma once

#include <QStyledItemDelegate>

namespace ui {

struct TimelineEntry;
class TimelineModel;

class TimelineDelegate final : public QStyledItemDelegate
{
    Q_OBJECT

public:
    static constexpr int kRowPx = 38;

    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
        const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    void paintEntry(QPainter& painter, const QStyleOptionViewItem& option,
        const TimelineModel& model, int row) const;
};

} // namespace ui
