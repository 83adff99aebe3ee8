// RelayedLine: one line of the log as the stream carries it.
#pragma once

#include "processor/pg/rows.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dispatch {

struct RelayedLine
{
    std::int64_t no;
    std::string kind;
    std::string paymentId;
    std::string eventType;
    std::int64_t userId;
    std::optional<std::string> merchantId;
    std::string asset;
    std::string amount; // decimal text, no trailing zeros
    std::string traceId;
    std::string at; // ISO 8601, UTC, microseconds
    std::string epoch; // first 8 characters, from the same snapshot as the line
};

using StreamFields = std::vector<std::pair<std::string, std::string>>;

/// Rows of relay_read or relay_row.
std::vector<RelayedLine> readRelayedLines(const pg::Rows& rows);

/// The fields of the line's stream entry, in the order in which the stream's script writes them.
StreamFields streamFields(const RelayedLine& line);

/// "2026-03-01T12:00:00.000001Z". Before year 10000.
std::string isoUtc(std::int64_t microsSince1970);

} // namespace dispatch
