// LoneEvent: what becomes of an event that failed alone – a retry, a dead letter, or the outcome
// that stands already.
#pragma once

#include "processor/settle/batch_reader.h"
#include "processor/settle/batch_writer.h"
#include "processor/settle/refused_letters.h"

#include <optional>

namespace settle {

enum class LoneEnding {
    NotHere, // its work row is gone or its lane is taken: nothing was done
    PutOff, // it waits for its next attempt
    Failed, // failed + letter
    BroughtInLine, // its outcome row was there: state follows, no money moves
};

struct LoneResult
{
    LoneEnding ending = LoneEnding::NotHere;
    int attempt = 0; // the one that has just failed
    std::optional<domain::Failure> failure = {};
    std::optional<domain::Event> event = {};
};

/// Each call is a transaction of its own, on one event whose lane it locks.
class LoneEvent
{
public:
    LoneEvent(BatchReader& reader, BatchWriter& writer, LetterRefused onLetterRefused);

    /// One more failed attempt: waits with full jitter, or – after six – fails with a letter.
    base::Result<LoneResult> countAttempt(
        pg::Connection& connection, const Work& work, const base::Error& error);

    /// Fails at once, with a letter. An event that had ended before keeps its outcome.
    base::Result<LoneResult> fail(pg::Connection& connection, const Work& work,
        domain::Failure failure, const std::optional<base::Error>& error = {});

    /// After a collision with a guard (journal or outcome row): if outcome row and journal agree
    /// that it was settled, only the state follows. NotHere when they do not.
    base::Result<LoneResult> bringInLine(pg::Connection& connection, const Work& work);

private:
    base::Result<Reading> read(pg::Transaction& transaction, const Work& work);
    base::Status finish(pg::Transaction& transaction, const Reading& reading,
        const domain::Decision& decision, const std::vector<Letter>& letters);

    BatchReader& m_reader;
    BatchWriter& m_writer;
    RefusedLetters m_refused;
};

/// Alone with this error for the sixth time: what the event ends as.
domain::Failure failureOf(const base::Error& error);

/// The error is the collision of an event with a row that only its own settlement writes.
bool isCollision(const base::Error& error);

inline constexpr const char* kContradictionCode = "state_contradiction";
inline constexpr const char* kJournalSourceKey = "uq_balance_events_source";

} // namespace settle
