// Chip: "State **open** ×", one term of a filter as a button.
#pragma once

#include <QAbstractButton>

namespace ui {

/** 26 high. Active chips have an accent edge, `selection` ground and a ×, which is `removed`. */
class Chip final : public QAbstractButton
{
    Q_OBJECT

public:
    explicit Chip(QWidget* parent = nullptr);

    /** `value` is bold; empty: the chip has a name only ("+ Filter"). */
    void setContent(const QString& name, const QString& value);
    void setActive(bool active, bool removable);
    bool isActive() const { return m_isActive; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

signals:
    void removed();

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    QRect crossRect() const;

    QString m_name, m_value;
    bool m_isActive = false;
    bool m_isRemovable = false;
};

} // namespace ui
