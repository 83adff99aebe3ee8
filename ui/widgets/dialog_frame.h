// DialogFrame: dialogs for costly acts (grade two) and for money (grade three, with its lock).
#pragma once

#include "ui/widgets/icons.h"
#include "ui/widgets/theme.h"

#include <QDialog>
#include <QString>

#include <chrono>
#include <memory>

class QBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace ui {

class LockButton;
class Veil;

/**
 * Head (icon, verb and object, one sentence of effect, environment), the page's own body, reason
 * and number, and the bottom: the opposite act left, then what it waits for, Cancel (default,
 * Esc), the act. Enter never triggers the act. It shows what it was given when it opened: nobody
 * refreshes it. Open it with open(); it dims its window meanwhile.
 */
class DialogFrame : public QDialog
{
    Q_OBJECT

public:
    enum class Grade {
        Two, // 520 wide, no lock
        Three, // 884 wide, locked for 3 s, anew whenever the window loses focus
    };

    DialogFrame(Grade grade, Environment environment, QWidget* parent,
        std::chrono::milliseconds lock = std::chrono::seconds{3});
    ~DialogFrame() override;

    void setHead(Icon icon, const QString& title, const QString& effect);
    /** Facts, tables, flags: between the head and the reason. */
    QBoxLayout& body();

    /** The act's button, "Approve 12 letters"; `opposite` ("Reject…") stands left, or none. */
    void setAct(const QString& act, Icon icon, const QString& opposite = {});
    /** A reason is needed; `label` is that of the field. */
    void needReason(const QString& label);
    /** The number has to be typed, digit for digit; `label` says it: "Type the number: 12". */
    void needNumber(qint64 number, const QString& label);
    /** What else forbids the act, with its sentence; empty: nothing. */
    void setBlocked(const QString& why);

    QString reason() const;
    /** Why the act is disabled; empty if it is not. */
    QString waitsFor() const;

signals:
    /** The act was triggered; the dialog stays open until done() – sent is not done. */
    void acted();
    void opposed();

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QLayout* makeHead();
    QLayout* makeFields();
    QWidget* makeBottom();
    void judge();

    Grade m_grade;
    Environment m_environment;
    class IconLabel* m_icon = nullptr;
    QLabel* m_title = nullptr;
    QLabel* m_effect = nullptr;
    QBoxLayout* m_body = nullptr;
    QLabel* m_reasonLabel = nullptr;
    QLineEdit* m_reason = nullptr;
    QLabel* m_numberLabel = nullptr;
    QLineEdit* m_number = nullptr;
    QLabel* m_waits = nullptr;
    QPushButton* m_opposite = nullptr;
    QPushButton* m_cancel = nullptr;
    LockButton* m_act = nullptr;
    std::unique_ptr<Veil> m_veil;
    std::chrono::milliseconds m_lock;
    qint64 m_wantedNumber = 0;
    bool m_needsReason = false;
    bool m_needsNumber = false;
    QString m_blocked;
};

} // namespace ui
