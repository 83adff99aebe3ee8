// Small parts that most widgets are made of: labels with a look, icon buttons, hair lines.
#pragma once

#include "ui/widgets/icons.h"

#include <QLabel>
#include <QPushButton>
#include <QToolButton>

namespace ui {

/** A label that the style sheet knows as `look` ("title", "muted", …). Plain text only. */
QLabel* makeLabel(const char* look, QWidget* parent = nullptr);

/** An icon in a label; `size` is logical pixels. It follows the theme. */
class IconLabel final : public QWidget
{
    Q_OBJECT

public:
    explicit IconLabel(Icon which, IconTone tone, int size, QWidget* parent = nullptr);

    void setIcon(Icon which, IconTone tone);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Icon m_icon;
    IconTone m_tone;
    int m_size;
};

/** A flat button that has only an icon; `name` is its accessible name and tooltip. */
QToolButton* makeIconButton(Icon which, const QString& name, QWidget* parent = nullptr);

/** A text button with a look ("primary", "flat", "small", "link" or none). */
QPushButton* makeButton(const QString& text, const char* look = "", QWidget* parent = nullptr);

/** Text that is elided at its end, whole in the tooltip; it may shrink to nothing. */
class ElidedLabel final : public QLabel
{
    Q_OBJECT

public:
    explicit ElidedLabel(const char* look, QWidget* parent = nullptr);

    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace ui
