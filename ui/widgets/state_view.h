// StateView: what stands where rows would: nothing found, an error, a silent source.
#pragma once

#include "ui/widgets/theme.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace ui {

class IconLabel;

/** Centred: 24 px icon, one bold line, one line of what to do, at most one button. */
class StateView final : public QWidget
{
    Q_OBJECT

public:
    enum class Kind {
        Empty, // `line` says what was searched, and when
        Error, // plain cause, copyable id, Retry
        Unknown, // which source is silent since when
    };

    explicit StateView(QWidget* parent = nullptr);

    /** `button` empty: none. `errorId` is shown for errors and can be copied. */
    void show(Kind kind, const QString& bold, const QString& line, const QString& button = {},
        const QString& errorId = {});

signals:
    void buttonClicked();

private:
    IconLabel* m_icon;
    QLabel* m_bold;
    QLabel* m_line;
    QPushButton* m_id;
    QPushButton* m_button;
};

} // namespace ui
