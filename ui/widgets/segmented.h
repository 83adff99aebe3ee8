// Segmented: one of a few choices, side by side (UTC · Local, 1 h · 24 h · 7 d, Open · History).
#pragma once

#include <QList>
#include <QWidget>

class QButtonGroup;

namespace ui {

/** Arrow keys move the choice; each segment is a button with its own name. */
class Segmented final : public QWidget
{
    Q_OBJECT

public:
    /** `name` is what the choice is about, for screen readers. */
    Segmented(const QString& name, const QStringList& choices, QWidget* parent = nullptr);

    int current() const;
    /** Does not emit. */
    void setCurrent(int index);

signals:
    /** A person chose. */
    void chosen(int index);

protected:
    void changeEvent(QEvent* event) override;

private:
    void dress();

    QButtonGroup* m_group;
};

} // namespace ui
