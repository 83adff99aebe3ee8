#include "processor/daemon/letters.h"

#include "processor/dispatch/relayed_line.h"
#include "sql/letters.h"

#include <utility>

namespace processor {
namespace {

LetterView letterOf(const pg::Rows& rows, int row)
{
    const auto text = [&](int column) { return std::string{rows.text(row, column)}; };
    return {.id = rows.bigint(row, 0),
        .uid = text(1),
        .state = text(2),
        .eventId = text(3),
        .eventType = text(4),
        .user = rows.bigint(row, 5),
        .asset = text(6),
        .amount = text(7),
        .errorClass = text(8),
        .attempt = rows.bigint(row, 9),
        .cause = text(10),
        .at = dispatch::isoUtc(rows.timestampMicros(row, 11)),
        .error = text(12),
        .traceId = text(13)};
}

std::optional<LetterEventView> eventOf(const pg::Rows& rows)
{
    if (rows.empty()) return std::nullopt;
    LetterEventView event{.no = rows.bigint(0, 0),
        .source = std::string{rows.text(0, 1)},
        .merchant = rows.textOrNull(0, 2),
        .txHash = rows.textOrNull(0, 3),
        .status = rows.textOrNull(0, 4),
        .failure = rows.textOrNull(0, 5),
        .receivedAt = dispatch::isoUtc(rows.timestampMicros(0, 6)),
        .endedAt = {},
        .failedAttempts = rows.bigintOrNull(0, 8)};
    if (!rows.isNull(0, 7)) event.endedAt = dispatch::isoUtc(rows.timestampMicros(0, 7));
    return event;
}

std::vector<AttemptView> attemptsOf(const pg::Rows& rows)
{
    std::vector<AttemptView> attempts;
    for (int row = 0; row < rows.size(); ++row) {
        attempts.push_back({.attempt = rows.bigint(row, 0),
            .at = dispatch::isoUtc(rows.timestampMicros(row, 1)),
            .errorClass = std::string{rows.text(row, 2)},
            .error = std::string{rows.text(row, 3)},
            .cause = std::string{rows.text(row, 4)},
            .letter = rows.bigintOrNull(row, 5),
            .letterState = rows.textOrNull(row, 6)});
    }
    return attempts;
}

} // namespace

base::Result<std::vector<LetterView>> listLetters(
    pg::Connection& connection, const config::LettersListCommand& filter)
{
    pg::Params params;
    params.bigint(filter.after).text(filter.cause).text(filter.state).bigint(filter.limit);
    const auto rows = connection.run(sql::kLettersList, params);
    if (!rows) return rows.error();
    std::vector<LetterView> page;
    for (int row = 0; row < rows->size(); ++row) page.push_back(letterOf(*rows, row));
    return page;
}

base::Result<LetterStory> showLetter(pg::Connection& connection, std::int64_t id)
{
    pg::Params params;
    params.bigint(id);
    const auto rows = connection.runPipeline({{sql::kLettersShow, params},
        {sql::kLettersEvent, params}, {sql::kLettersHistory, params}});
    if (!rows) return rows.error();
    if ((*rows)[0].empty()) {
        return base::Error{base::ErrorKind::NotFound, "there is no letter " + std::to_string(id)};
    }
    return LetterStory{letterOf((*rows)[0], 0), eventOf((*rows)[1]), attemptsOf((*rows)[2])};
}

} // namespace processor
