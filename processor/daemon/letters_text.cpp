#include "processor/base/json_writer.h"
#include "processor/daemon/letters.h"

namespace processor {
namespace {

bool mayHaveMore(const std::vector<LetterView>& page, std::int64_t limit)
{
    return !page.empty() && static_cast<std::int64_t>(page.size()) >= limit;
}

std::string oneLine(std::string text)
{
    for (char& c : text) {
        if (c == '\n' || c == '\r' || c == '\t') c = ' ';
    }
    return text;
}

void orNull(base::JsonWriter& json, std::string_view name, const std::optional<std::string>& value)
{
    json.key(name);
    if (value) {
        json.text(*value);
    } else {
        json.null();
    }
}

void orNull(base::JsonWriter& json, std::string_view name, const std::optional<std::int64_t>& value)
{
    json.key(name);
    if (value) {
        json.integer(*value);
    } else {
        json.null();
    }
}

void writeLetter(base::JsonWriter& json, const LetterView& letter)
{
    json.beginObject()
        .field("id", letter.id)
        .field("letter_uid", letter.uid)
        .field("state", letter.state)
        .field("created_at", letter.at)
        .field("event_id", letter.eventId)
        .field("event_type", letter.eventType)
        .field("user_id", letter.user)
        .field("asset", letter.asset)
        .field("amount", letter.amount)
        .field("attempt", letter.attempt)
        .field("error_class", letter.errorClass)
        .field("cause", letter.cause)
        .field("error", letter.error)
        .field("trace_id", letter.traceId)
        .endObject();
}

void writeEvent(base::JsonWriter& json, const LetterEventView& event)
{
    json.beginObject().field("event_no", event.no).field("source", event.source);
    orNull(json, "merchant_id", event.merchant);
    orNull(json, "tx_hash", event.txHash);
    orNull(json, "status", event.status);
    orNull(json, "failure", event.failure);
    json.field("received_at", event.receivedAt);
    orNull(json, "settled_at", event.endedAt);
    orNull(json, "failed_attempts", event.failedAttempts);
    json.endObject();
}

void writeAttempt(base::JsonWriter& json, const AttemptView& attempt)
{
    json.beginObject()
        .field("attempt", attempt.attempt)
        .field("at", attempt.at)
        .field("error_class", attempt.errorClass)
        .field("cause", attempt.cause)
        .field("error", attempt.error);
    orNull(json, "letter_id", attempt.letter);
    orNull(json, "letter_state", attempt.letterState);
    json.endObject();
}

} // namespace

std::string letterPageText(const std::vector<LetterView>& page, std::int64_t limit)
{
    if (page.empty()) return "no letters\n";
    std::string text;
    for (const LetterView& letter : page) {
        text += std::to_string(letter.id) + "  " + letter.at + "  " + letter.state + "  "
            + letter.eventType + " " + letter.eventId + "  user " + std::to_string(letter.user)
            + "  " + letter.amount + " " + letter.asset + "  attempt "
            + std::to_string(letter.attempt) + "  cause " + letter.cause + "  " + letter.errorClass
            + ": " + oneLine(letter.error) + "\n";
    }
    if (mayHaveMore(page, limit)) {
        text += "there may be more: --after " + std::to_string(page.back().id) + "\n";
    }
    return text;
}

std::string letterPageJson(const std::vector<LetterView>& page, std::int64_t limit)
{
    base::JsonWriter json;
    json.beginObject().key("letters").beginArray();
    for (const LetterView& letter : page) writeLetter(json, letter);
    json.endArray();
    const bool hasMore = mayHaveMore(page, limit);
    orNull(json, "next_after", hasMore ? std::optional{page.back().id} : std::nullopt);
    return json.endObject().take() + "\n";
}

std::string letterStoryText(const LetterStory& story)
{
    const LetterView& letter = story.letter;
    std::string text = "letter " + std::to_string(letter.id) + " (" + letter.uid + "), "
        + letter.state + "\nevent  " + letter.eventType + " " + letter.eventId + ", user "
        + std::to_string(letter.user) + ", " + letter.amount + " " + letter.asset + ", trace "
        + letter.traceId + "\ncause  " + letter.cause + "\n";
    if (story.event) {
        const LetterEventView& event = *story.event;
        text += "now    number " + std::to_string(event.no) + ", "
            + event.status.value_or("nobody works on it")
            + (event.failure ? " (" + *event.failure + ")" : "") + ", received " + event.receivedAt
            + (event.endedAt ? ", ended " + *event.endedAt : "") + "\n";
    } else {
        text += "now    its event is no longer kept\n";
    }
    for (const AttemptView& attempt : story.attempts) {
        text += "  " + std::to_string(attempt.attempt) + "  " + attempt.at + "  "
            + attempt.errorClass + ": " + oneLine(attempt.error);
        if (attempt.letter) {
            text += "  (letter " + std::to_string(*attempt.letter) + ", "
                + attempt.letterState.value_or("") + ")";
        }
        text += "\n";
    }
    return text;
}

std::string letterStoryJson(const LetterStory& story)
{
    base::JsonWriter json;
    json.beginObject().key("letter");
    writeLetter(json, story.letter);
    json.key("event");
    if (story.event) {
        writeEvent(json, *story.event);
    } else {
        json.null();
    }
    json.key("attempts").beginArray();
    for (const AttemptView& attempt : story.attempts) writeAttempt(json, attempt);
    return json.endArray().endObject().take() + "\n";
}

} // namespace processor
