#include "ui/widgets/time_text.h"

#include <QCoreApplication>
#include <QLocale>
#include <QTimeZone>

#include <algorithm>

namespace ui::time_text {

namespace {

QDateTime inZone(const QDateTime& at, Zone zone)
{
    return zone == Zone::Utc ? at.toUTC() : at.toLocalTime();
}

QString clockFormat(Precision precision)
{
    return precision == Precision::Milliseconds ? QStringLiteral("HH:mm:ss.zzz")
                                                : QStringLiteral("HH:mm:ss");
}

QString notKnown()
{
    return QCoreApplication::translate("ui::time_text", "not known");
}

// The smaller unit has two digits, so that a column of durations does not jitter.
QString twoDigits(qint64 number)
{
    return QStringLiteral("%1").arg(number, 2, 10, QLatin1Char{'0'});
}

} // namespace

QString shown(const QDateTime& at, const QDateTime& now, Zone zone, Precision precision)
{
    if (!at.isValid()) {
        return notKnown();
    }
    const QDateTime there = inZone(at, zone);
    const QDate today = inZone(now, zone).date();
    const QString clock = there.toString(clockFormat(precision));
    if (there.date() == today) {
        return clock;
    }
    if (there.date().year() != today.year()) {
        return there.date().toString(Qt::ISODate) + u' ' + clock;
    }
    //: Day of this year, in the notation of QLocale
    const QString format = QCoreApplication::translate("ui::time_text", "MMM d");
    return QLocale{}.toString(there.date(), format) + u' ' + clock;
}

QString full(const QDateTime& at, Zone zone, Precision precision)
{
    if (!at.isValid()) {
        return notKnown();
    }
    const QDateTime there = inZone(at, zone);
    return there.date().toString(Qt::ISODate) + u' ' + there.toString(clockFormat(precision));
}

QString iso(const QDateTime& at)
{
    return at.isValid() ? at.toUTC().toString(Qt::ISODateWithMs) : QString{};
}

QString zoneName(Zone zone, const QDateTime& at)
{
    if (zone == Zone::Utc) {
        return QStringLiteral("UTC");
    }
    const int minutes = at.toLocalTime().offsetFromUtc() / 60;
    return QStringLiteral("UTC%1%2:%3")
        .arg(minutes < 0 ? QStringLiteral("\u2212") : QStringLiteral("+"),
            twoDigits(std::abs(minutes) / 60), twoDigits(std::abs(minutes) % 60));
}

QString withZone(const QDateTime& at, const QDateTime& now, Zone zone)
{
    return at.isValid() ? shown(at, now, zone) + u' ' + zoneName(zone, at) : notKnown();
}

QString duration(std::chrono::milliseconds span)
{
    const auto say
        = [](const char* text) { return QCoreApplication::translate("ui::time_text", text); };
    const qint64 ms = std::max<qint64>(0, span.count());
    const qint64 seconds = ms / 1000;
    if (seconds < 10) {
        const QString tenths = QLocale{}.toString(double(ms / 100) / 10, 'f', 1);
        return say(QT_TRANSLATE_NOOP("ui::time_text", "%1 s")).arg(tenths);
    }
    if (seconds < 60) {
        return say(QT_TRANSLATE_NOOP("ui::time_text", "%1 s")).arg(seconds);
    }
    const qint64 minutes = seconds / 60;
    if (minutes < 60) {
        return say(QT_TRANSLATE_NOOP("ui::time_text", "%1 min %2 s"))
            .arg(QString::number(minutes), twoDigits(seconds % 60));
    }
    const qint64 hours = minutes / 60;
    if (hours < 24) {
        return say(QT_TRANSLATE_NOOP("ui::time_text", "%1 h %2 min"))
            .arg(QString::number(hours), twoDigits(minutes % 60));
    }
    return say(QT_TRANSLATE_NOOP("ui::time_text", "%1 d %2 h")).arg(hours / 24).arg(hours % 24);
}

} // namespace ui::time_text
