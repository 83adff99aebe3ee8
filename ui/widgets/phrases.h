// Phrases: the sentences that more than one part of the console says, in one wording.
#pragma once

#include <QString>

namespace ui::phrases {

/** "Needs the role approver. You are support." Roles by their public names. */
QString needsRole(QStringView needed, QStringView mine);

/** "R-0411 is yours. Someone else must decide." */
QString ownRequest(const QString& request);

/** "No answer since 14:02:11", the time as TimeText writes it. */
QString noAnswerSince(const QString& time);

/** "12 new – show them". */
QString newRows(int count);

/** "Request replay: selected (12)…" */
QString requestReplaySelected(int count);

/** "Request replay: all matching (3,418)…"; the count is exact or the command has none. */
QString requestReplayMatching(int count);

/** "Unlocks in 2 s". */
QString unlocksIn(int seconds);

/** "Proved: posting 5,518,377, balance equal". */
QString proved(qint64 posting);

/** "No-op, already posted as 5,517,990". */
QString noOp(qint64 posting);

/** "probe in 6 s": the detail of a half-open breaker. */
QString probeIn(int seconds);

/** "Searched the last 30 days, 2,104,377 rows, complete"; days 0: everything was searched. */
QString searched(int days, qint64 rows, bool complete);

/** A number in the program's language: `5,518,377`, `5 518 377`. */
QString grouped(qint64 number);

} // namespace ui::phrases
