// Times and durations as people read them; the exact instant stays one tooltip or copy away.
#pragma once

#include <QDateTime>
#include <QString>

#include <chrono>

namespace ui {

/** The one switch of the whole console (Ctrl+T); column titles name it. */
enum class Zone { Utc, Local };

namespace time_text {

enum class Precision { Seconds, Milliseconds };

/**
 * `14:19:44` today, `Mar 17 14:19:44` this year, `2025-03-17 14:19:44` else; "today" in the shown
 * zone. An invalid time is "not known", never a dash.
 */
QString shown(
    const QDateTime& at, const QDateTime& now, Zone zone, Precision precision = Precision::Seconds);

/** `2026-03-18 14:02:11.408`: the whole instant, for summaries and statements. */
QString full(const QDateTime& at, Zone zone, Precision precision = Precision::Milliseconds);

/** `2026-03-18T14:02:11.408Z`: tooltip and copy, UTC whatever is shown. */
QString iso(const QDateTime& at);

/** `UTC`, or the local zone as `UTC+03:00`, for titles: "Since, UTC". */
QString zoneName(Zone zone, const QDateTime& at);

/** "As of" and other times that carry their zone: `14:26:08 UTC`. */
QString withZone(const QDateTime& at, const QDateTime& now, Zone zone);

/** `0.2 s`, `42 s`, `11 min 42 s`, `1 h 04 min`, `3 d 4 h`; never negative. */
QString duration(std::chrono::milliseconds span);

} // namespace time_text

} // namespace ui
