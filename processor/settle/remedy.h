// Remedy: what to do about a batch that failed, in one table.
#pragma once

#include "processor/base/result.h"

namespace settle {

/// The round trip in which a batch failed.
enum class Stage { Read, Write, Commit };

enum class Remedy {
    RunAgain, // nothing is known against any event: the same again
    Wait, // the server is away: back off, then the same again
    Halve, // one of several events may be to blame: find it
    LetPass, // it stood alone and waits for somebody's lock: other accounts go first, no attempt
    Count, // it stood alone: an attempt
    Page, // our schema or code is wrong: tell people, then as if the server were away
};

/// `events` is the number of events that were decided, not merely deferred. Waiting for a lock on
/// lanes, balances (Stage::Read), a merchant's balance (Stage::Write) or the log's tail
/// (Stage::Commit) never counts.
Remedy remedyOf(const base::Error& error, Stage stage, int events);

} // namespace settle
