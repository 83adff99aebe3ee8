// NewRowsStrip: "12 new – show them". Rows that arrived wait in it; nothing moves under the hand.
#pragma once

#include <QAbstractButton>

namespace ui {

/** 28 high, reserved as long as the table is live; empty (and out of the tab order) when none. */
class NewRowsStrip final : public QAbstractButton
{
    Q_OBJECT

public:
    explicit NewRowsStrip(QWidget* parent = nullptr);

    /** A live table keeps the room; one that is not gives it back. */
    void setLive(bool live);
    void setCount(int count);
    int count() const { return m_count; }

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void describe();

    int m_count = 0;
};

} // namespace ui
