// Moment: a time of the database, exact to its microsecond; QDateTime would cut it to milliseconds.
#pragma once

#include <QDateTime>
#include <QString>

#include <compare>
#include <optional>

namespace ui {

class Moment
{
public:
    /** 1970-01-01 00:00:00 UTC. */
    constexpr Moment() = default;
    constexpr explicit Moment(qint64 microseconds) : m_microseconds{microseconds} {}

    /**
     * What PostgreSQL prints for a timestamptz in UTC and ISO: `2026-12-01 03:56:11.123456+00`.
     * Nothing for any other text, `infinity` included.
     */
    static std::optional<Moment> fromDatabase(QStringView text);

    qint64 microseconds() const { return m_microseconds; } // since 1970, UTC

    /** For delegates and calendars: UTC, cut to milliseconds. */
    QDateTime toDateTime() const;

    /** `2026-12-01T03:56:11.123456Z`; as a statement's parameter and for copies. */
    QString toText() const;

    constexpr auto operator<=>(const Moment&) const = default;

private:
    qint64 m_microseconds = 0;
};

} // namespace ui
