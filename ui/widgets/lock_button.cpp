#include "ui/widgets/lock_button.h"

#include "ui/widgets/icons.h"
#include "ui/widgets/theme.h"

#include <QKeyEvent>
#include <QPainter>
#include <QTimer>

#include <algorithm>

namespace ui {

namespace {

constexpr std::chrono::milliseconds kLockTick{50};
constexpr int kLockBarPx = 3;

} // namespace

LockButton::LockButton(QWidget* parent, std::chrono::milliseconds lock)
    : QPushButton{parent}
    , m_lock{lock}
    , m_timer{new QTimer{this}}
{
    setAutoDefault(false);
    setDefault(false);
    setIconSize(kIconBesideText);
    setIcon(ui::icon(Icon::Lock));
    m_timer->setInterval(kLockTick);
    connect(m_timer, &QTimer::timeout, this, &LockButton::tick);
    setEnabled(false);
}

void LockButton::restart()
{
    m_isUnlocked = false;
    m_since.start();
    m_timer->start();
    update();
}

void LockButton::pause()
{
    m_isUnlocked = false;
    m_since.invalidate();
    m_timer->stop();
    update();
}

void LockButton::setReady(bool ready)
{
    m_isReady = ready;
    update();
}

int LockButton::secondsLeft() const
{
    if (m_isUnlocked) {
        return 0;
    }
    const std::chrono::milliseconds passed{m_since.isValid() ? m_since.elapsed() : 0};
    const auto left = std::max(m_lock - passed, std::chrono::milliseconds{0});
    return int((left.count() + 999) / 1000);
}

void LockButton::tick()
{
    if (m_since.isValid() && m_since.elapsed() >= m_lock.count()) {
        m_isUnlocked = true;
        m_timer->stop();
    }
    update();
}

void LockButton::update()
{
    setEnabled(m_isUnlocked && m_isReady);
    emit lockChanged();
    QPushButton::update();
}

void LockButton::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        event->accept(); // neither this act nor, by way of the dialog, another one
        return;
    }
    QPushButton::keyPressEvent(event);
}

void LockButton::paintEvent(QPaintEvent* event)
{
    QPushButton::paintEvent(event);
    if (m_isUnlocked || !m_since.isValid()) {
        return;
    }
    const double part = std::min(1.0, double(m_since.elapsed()) / double(m_lock.count()));
    QPainter painter{this};
    const int wide = int((width() - 4) * part);
    const bool isMirrored = layoutDirection() == Qt::RightToLeft;
    painter.fillRect(isMirrored ? width() - 2 - wide : 2, height() - kLockBarPx - 1, wide,
        kLockBarPx, currentTheme().accent);
}

} // namespace ui
