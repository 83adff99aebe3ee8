// ChoicePopup: a chip's list; typing narrows it, Enter takes, Esc closes.
#pragma once

#include "ui/widgets/filter.h"

#include <QFrame>

class QLineEdit;
class QListWidget;

namespace ui {

/** Closes and deletes itself. A key without choices takes what is typed. */
class ChoicePopup final : public QFrame
{
    Q_OBJECT

public:
    ChoicePopup(const FilterKey& key, const FilterTerm* current, QWidget* parent);

    /** Under this widget. */
    void popUp(const QWidget& below);

signals:
    void chosen(const QString& value);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void narrow(const QString& typed);
    void take();

    QList<FilterChoice> m_choices;
    QLineEdit* m_typed;
    QListWidget* m_list;
};

} // namespace ui
