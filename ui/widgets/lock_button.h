// LockButton: the act of a grade-three dialog; it opens after 3 s of being looked at.
#pragma once

#include <QElapsedTimer>
#include <QPushButton>

#include <chrono>

class QTimer;

namespace ui {

/**
 * Enabled when the lock has run out *and* `setReady(true)` was said. A bar fills along the lower
 * edge. Enter never triggers it; Space and a click do.
 */
class LockButton final : public QPushButton
{
    Q_OBJECT

public:
    static constexpr std::chrono::milliseconds kLock{3000};

    explicit LockButton(QWidget* parent = nullptr, std::chrono::milliseconds lock = kLock);

    /** Starts the lock anew; while `pause`d no time passes. */
    void restart();
    void pause();

    /** Whether all else that the act needs is there. */
    void setReady(bool ready);
    bool isUnlocked() const { return m_isUnlocked; }
    /** Whole seconds that are left, rounded up; 0 when unlocked. */
    int secondsLeft() const;

signals:
    /** Once a second or so, and when it opens. */
    void lockChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void tick();
    void update();

    std::chrono::milliseconds m_lock;
    QElapsedTimer m_since;
    QTimer* m_timer;
    bool m_isReady = false;
    bool m_isUnlocked = false;
};

} // namespace ui
