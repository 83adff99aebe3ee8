// CellDelegate: how every table of the console draws a cell's ground, focus and plain text.
#pragma once

#include <QColor>
#include <QFont>
#include <QStyledItemDelegate>

namespace ui {

/**
 * Draws ground (selected, hovered), row line and the focus edge of the current row, then the
 * content. Text is elided, whole in the tooltip; what DetailRole has stands behind it in `muted`.
 */
class CellDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    enum class Look {
        Text,
        Bold, // what names the row
        Mono, // hashes, ids: elided in the middle
        Link, // opens something; the view reports `activated`
        Muted,
    };
    static constexpr int kPaddingPx = 10;

    explicit CellDelegate(Look look = Look::Text, QObject* parent = nullptr);

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
        const QModelIndex& index) const final;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
        const QModelIndex& index) override;

protected:
    /** Draws what stands in the cell; `room` is inside the padding. */
    virtual void paintContent(QPainter& painter, const QRect& room,
        const QStyleOptionViewItem& option, const QModelIndex& index) const;
    /** The width the content needs to be seen whole. */
    virtual int contentWidth(const QStyleOptionViewItem& option, const QModelIndex& index) const;

    static bool isSelected(const QStyleOptionViewItem& option);

private:
    QFont fontOfLook() const;
    QColor colorOfLook() const;

    Look m_look;
};

} // namespace ui
