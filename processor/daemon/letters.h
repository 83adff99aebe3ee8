// Letters: dead letters as the command line shows them, as text and as JSON.
#pragma once

#include "processor/base/result.h"
#include "processor/config/command.h"
#include "processor/pg/connection.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace processor {

struct LetterView
{
    std::int64_t id;
    std::string uid;
    std::string state;
    std::string eventId;
    std::string eventType;
    std::int64_t user;
    std::string asset;
    std::string amount; // decimal text
    std::string errorClass;
    std::int64_t attempt;
    std::string cause;
    std::string at; // ISO 8601, UTC
    std::string error;
    std::string traceId;
};

/// An attempt that failed; the last ones before an end have a letter.
struct AttemptView
{
    std::int64_t attempt;
    std::string at;
    std::string errorClass;
    std::string error;
    std::string cause;
    std::optional<std::int64_t> letter;
    std::optional<std::string> letterState;
};

/// The letter's event as it stands now.
struct LetterEventView
{
    std::int64_t no;
    std::string source;
    std::optional<std::string> merchant;
    std::optional<std::string> txHash;
    std::optional<std::string> status; // empty: nobody works on it
    std::optional<std::string> failure;
    std::string receivedAt;
    std::optional<std::string> endedAt;
    std::optional<std::int64_t> failedAttempts; // of its work row
};

struct LetterStory
{
    LetterView letter;
    std::optional<LetterEventView> event; // empty: its partition is gone
    std::vector<AttemptView> attempts; // of the event, all that are known, in order
};

/// One page, the newest first.
base::Result<std::vector<LetterView>> listLetters(
    pg::Connection& connection, const config::LettersListCommand& filter);

/// NotFound when there is no such letter.
base::Result<LetterStory> showLetter(pg::Connection& connection, std::int64_t id);

/// What is printed. A page that is full says how to go on.
[[nodiscard]] std::string letterPageText(const std::vector<LetterView>& page, std::int64_t limit);
[[nodiscard]] std::string letterPageJson(const std::vector<LetterView>& page, std::int64_t limit);
[[nodiscard]] std::string letterStoryText(const LetterStory& story);
[[nodiscard]] std::string letterStoryJson(const LetterStory& story);

} // namespace processor
