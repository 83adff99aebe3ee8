// FreshnessLabel: a page's as-of, which grows old by itself while nothing new arrives.
#pragma once

#include "ui/widgets/freshness.h"

#include <QWidget>

#include <functional>

class QLabel;
class QTimer;

namespace ui {

class IconLabel;

class FreshnessLabel final : public QWidget
{
    Q_OBJECT

public:
    using Clock = std::function<QDateTime()>;

    explicit FreshnessLabel(QWidget* parent = nullptr, Clock now = QDateTime::currentDateTimeUtc);

    void setFreshness(const Freshness& freshness);
    void setZone(Zone zone);

    /** Says it again for the clock's time; a timer does once a second. */
    void tick();

    StateKind kind() const { return m_kind; }
    QString text() const;

signals:
    /** Ok ↔ Warning ↔ Unknown: old data stay, but on another ground. */
    void kindChanged(ui::StateKind kind);

private:
    Clock m_now;
    Freshness m_freshness;
    Zone m_zone = Zone::Utc;
    StateKind m_kind = StateKind::Unknown;
    IconLabel* m_icon;
    QLabel* m_text;
    QTimer* m_timer;
};

} // namespace ui
