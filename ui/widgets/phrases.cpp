#include "ui/widgets/phrases.h"

#include "ui/widgets/words.h"

#include <QCoreApplication>
#include <QLocale>

namespace ui::phrases {

namespace {

// Literals stay at the call, where lupdate looks for them.
QString say(const char* text, int n = -1)
{
    return QCoreApplication::translate("ui::phrases", text, nullptr, n);
}

} // namespace

QString needsRole(QStringView needed, QStringView mine)
{
    return say(QT_TRANSLATE_NOOP("ui::phrases", "Needs the role %1. You are %2."))
        .arg(stateWord(WordSet::Role, needed).text, stateWord(WordSet::Role, mine).text);
}

QString ownRequest(const QString& request)
{
    return say(QT_TRANSLATE_NOOP("ui::phrases", "%1 is yours. Someone else must decide."))
        .arg(request);
}

QString noAnswerSince(const QString& time)
{
    return say(QT_TRANSLATE_NOOP("ui::phrases", "No answer since %1")).arg(time);
}

QString newRows(int count)
{
    return say(QT_TRANSLATE_N_NOOP("ui::phrases", "%Ln new – show them"), count);
}

QString requestReplaySelected(int count)
{
    return say(QT_TRANSLATE_N_NOOP("ui::phrases", "Request replay: selected (%Ln)…"), count);
}

QString requestReplayMatching(int count)
{
    return say(QT_TRANSLATE_N_NOOP("ui::phrases", "Request replay: all matching (%Ln)…"), count);
}

QString unlocksIn(int seconds)
{
    return say(QT_TRANSLATE_N_NOOP("ui::phrases", "Unlocks in %n s"), seconds);
}

QString proved(qint64 posting)
{
    return say(QT_TRANSLATE_NOOP("ui::phrases", "Proved: posting %1, balance equal"))
        .arg(grouped(posting));
}

QString noOp(qint64 posting)
{
    return say(QT_TRANSLATE_NOOP("ui::phrases", "No-op, already posted as %1"))
        .arg(grouped(posting));
}

QString probeIn(int seconds)
{
    return say(QT_TRANSLATE_N_NOOP("ui::phrases", "probe in %n s"), seconds);
}

QString searched(int days, qint64 rows, bool complete)
{
    // Whole sentences: pieces could not be ordered or inflected in another language.
    if (days == 0) {
        const char* all = complete
            ? QT_TRANSLATE_NOOP("ui::phrases", "Searched everything, %1 rows, complete")
            : QT_TRANSLATE_NOOP("ui::phrases", "Searched everything, %1 rows, not complete");
        return say(all).arg(grouped(rows));
    }
    const char* some = complete
        ? QT_TRANSLATE_N_NOOP("ui::phrases", "Searched the last %n days, %1 rows, complete")
        : QT_TRANSLATE_N_NOOP("ui::phrases", "Searched the last %n days, %1 rows, not complete");
    return say(some, days).arg(grouped(rows));
}

QString grouped(qint64 number)
{
    return QLocale{}.toString(number);
}

} // namespace ui::phrases
