// The pages: their order, which Alt+1…9, Alt+0, Alt+- follow, their names and icons.
#pragma once

#include "ui/widgets/icons.h"

#include <QKeySequence>
#include <QString>

#include <array>

namespace ui {

enum class Page {
    Overview,
    Lookup,
    DeadLetters,
    Approvals,
    Zombies,
    Breaker,
    Reconciliation,
    Streams,
    Quarantine,
    Alerts,
    Audit,
};
inline constexpr std::array kPages{Page::Overview, Page::Lookup, Page::DeadLetters, Page::Approvals,
    Page::Zombies, Page::Breaker, Page::Reconciliation, Page::Streams, Page::Quarantine,
    Page::Alerts, Page::Audit};

QString titleOf(Page page);
Icon iconOf(Page page);

/** Alt+1 … Alt+9, Alt+0, Alt+-. */
QKeySequence keyOf(Page page);

/** Stable name for deep links and settings: `dead-letters`. */
QString slugOf(Page page);

} // namespace ui
