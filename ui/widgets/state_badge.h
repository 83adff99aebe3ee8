// StateBadge: a state as a label.
#pragma once

#include "ui/widgets/words.h"

#include <QWidget>

namespace ui {

class StateBadge final : public QWidget
{
    Q_OBJECT

public:
    explicit StateBadge(QWidget* parent = nullptr);
    explicit StateBadge(const StateWord& word, QWidget* parent = nullptr);

    /** Shows this state; its word is also the accessible name. */
    void setState(const StateWord& word);
    const StateWord& state() const { return m_word; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    StateWord m_word;
};

} // namespace ui
