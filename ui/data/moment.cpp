#include "ui/data/moment.h"

#include <QTimeZone>

namespace ui {
namespace {

constexpr qint64 kMicrosPerSecond = 1'000'000;
constexpr qsizetype kSecondsLength = 19; // 2026-12-01 03:56:11

} // namespace

std::optional<Moment> Moment::fromDatabase(QStringView text)
{
    if (text.size() < kSecondsLength + 3 || !text.endsWith(u"+00")) return std::nullopt;
    const QStringView fraction = text.mid(kSecondsLength, text.size() - kSecondsLength - 3);
    if (!fraction.isEmpty() && (fraction[0] != u'.' || fraction.size() > 7)) return std::nullopt;
    QDateTime whole = QDateTime::fromString(
        text.first(kSecondsLength).toString(), QStringLiteral("yyyy-MM-dd HH:mm:ss"));
    if (!whole.isValid()) return std::nullopt;
    whole.setTimeSpec(Qt::UTC);
    qint64 micros = 0;
    for (qsizetype i = 1; i <= 6; ++i) {
        const QChar digit = i < fraction.size() ? fraction[i] : QChar{u'0'};
        if (digit < u'0' || digit > u'9') return std::nullopt;
        micros = micros * 10 + (digit.unicode() - u'0');
    }
    return Moment{whole.toSecsSinceEpoch() * kMicrosPerSecond + micros};
}

QDateTime Moment::toDateTime() const
{
    // Towards the past also before 1970, so that a time never shows as later than it was.
    const qint64 millis = m_microseconds / 1000 - (m_microseconds % 1000 < 0 ? 1 : 0);
    return QDateTime::fromMSecsSinceEpoch(millis, Qt::UTC);
}

QString Moment::toText() const
{
    qint64 micros = m_microseconds % kMicrosPerSecond;
    if (micros < 0) micros += kMicrosPerSecond;
    const qint64 seconds = (m_microseconds - micros) / kMicrosPerSecond;
    return QDateTime::fromSecsSinceEpoch(seconds, Qt::UTC)
               .toString(QStringLiteral("yyyy-MM-ddTHH:mm:ss"))
        + QStringLiteral(".%1Z").arg(micros, 6, 10, QLatin1Char{'0'});
}

} // namespace ui
