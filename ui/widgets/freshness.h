// Freshness: how old what is shown is, and who said it.
#pragma once

#include "ui/widgets/theme.h"
#include "ui/widgets/time_text.h"

#include <QString>

#include <chrono>

namespace ui {

/** Of the oldest of a page's sources. */
struct Freshness
{
    QDateTime asOf = {}; // of the last answer; invalid: never
    QString source = {}; // "PostgreSQL", "PostgreSQL, Redis"
    bool isSilent = false; // the last question was not answered
};

inline constexpr std::chrono::seconds kFreshFor{15};

struct FreshnessText
{
    QString text = {};
    StateKind kind = StateKind::Unknown; // Ok: muted with a clock; Warning; Unknown
};

/**
 * "As of 14:26:08 UTC · PostgreSQL" up to 15 s, "2 min 10 s old · PostgreSQL" beyond,
 * "No answer since 14:02:11 UTC · PostgreSQL" when the source is silent.
 */
FreshnessText textOf(const Freshness& freshness, const QDateTime& now, Zone zone);

} // namespace ui
