#include "processor/settle/remedy.h"

namespace settle {
namespace {

/// A missing partition is reported as a check violation without a constraint. No event is to blame.
bool isMissingPartition(const base::Error& error)
{
    return error.code == "23514" && error.constraint.empty();
}

} // namespace

Remedy remedyOf(const base::Error& error, Stage stage, int events)
{
    switch (error.kind) {
    case base::ErrorKind::Unavailable:
        return Remedy::Wait;
    // Lost during COMMIT: the queue and the constraints decide what became of it.
    case base::ErrorKind::Unknown:
        return Remedy::RunAgain;
    case base::ErrorKind::Conflict:
        if (stage != Stage::Write) return Remedy::RunAgain;
        if (events == 1 && error.code == "55P03") return Remedy::LetPass;
        return events > 1 ? Remedy::Halve : Remedy::Count;
    case base::ErrorKind::NotFound:
    case base::ErrorKind::Invalid:
        if (stage == Stage::Read || isMissingPartition(error)) return Remedy::Page;
        return events > 1 ? Remedy::Halve : Remedy::Count;
    case base::ErrorKind::Corrupt:
        // Found like a data error, lest one row stops a queue; never counted against an event.
        return stage != Stage::Read && events > 1 ? Remedy::Halve : Remedy::Page;
    }
    return Remedy::Page;
}

} // namespace settle
