// Veil: dims a window behind a dialog whose data are frozen.
#pragma once

#include <QWidget>

namespace ui {

/** Covers the whole window as long as it lives, and follows its size. */
class Veil final : public QWidget
{
    Q_OBJECT

public:
    explicit Veil(QWidget& window);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
};

} // namespace ui
