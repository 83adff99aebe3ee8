#include "ui/widgets/freshness_label.h"

#include "ui/widgets/style_sheet.h"
#include "ui/widgets/widget_parts.h"

#include <QHBoxLayout>
#include <QTimer>

namespace ui {

FreshnessLabel::FreshnessLabel(QWidget* parent, Clock now)
    : QWidget{parent}
    , m_now{std::move(now)}
    , m_icon{new IconLabel{Icon::Waiting, IconTone::Muted, 14, this}}
    , m_text{makeLabel("muted", this)}
    , m_timer{new QTimer{this}}
{
    auto* row = new QHBoxLayout{this};
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    row->addWidget(m_icon);
    row->addWidget(m_text);
    m_timer->setInterval(std::chrono::seconds{1});
    connect(m_timer, &QTimer::timeout, this, &FreshnessLabel::tick);
    m_timer->start();
    tick();
}

void FreshnessLabel::setFreshness(const Freshness& freshness)
{
    m_freshness = freshness;
    tick();
}

void FreshnessLabel::setZone(Zone zone)
{
    m_zone = zone;
    tick();
}

QString FreshnessLabel::text() const
{
    return m_text->text();
}

void FreshnessLabel::tick()
{
    const FreshnessText now = ui::textOf(m_freshness, m_now(), m_zone);
    m_text->setText(now.text);
    setAccessibleName(now.text);
    setToolTip(time_text::iso(m_freshness.asOf));
    if (now.kind == StateKind::Ok) {
        m_icon->setIcon(Icon::Waiting, IconTone::Muted);
        setLook(*m_text, "muted");
    } else {
        m_icon->setIcon(iconOf(now.kind), textTone(now.kind));
        setLook(*m_text, now.kind == StateKind::Warning ? "warning" : "unknown");
    }
    if (now.kind != m_kind) {
        m_kind = now.kind;
        emit kindChanged(m_kind);
    }
}

} // namespace ui
