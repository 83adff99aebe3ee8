#include "processor/settle/outcomes.h"

namespace settle {

bool isDecided(const domain::Outcome& outcome)
{
    return outcome.ending != domain::Ending::Deferred
        && outcome.ending != domain::Ending::LeftAlone;
}

std::vector<domain::EventNo> decidedEvents(const domain::Decision& decision)
{
    std::vector<domain::EventNo> numbers;
    for (const domain::Outcome& outcome : decision.outcomes) {
        if (isDecided(outcome)) numbers.push_back(outcome.no);
    }
    return numbers;
}

std::vector<Letter> lettersOf(const Reading& reading, const domain::Decision& decision)
{
    std::vector<Letter> letters;
    for (std::size_t i = 0; i < decision.outcomes.size(); ++i) {
        const domain::Outcome& outcome = decision.outcomes[i];
        if (!outcome.letter) continue;
        letters.push_back(
            letterOfFailure(outcome.no, *outcome.failure, reading.work[i].attempts + 1));
    }
    return letters;
}

void countOutcomes(const domain::Decision& decision, Report& report)
{
    for (const domain::Outcome& outcome : decision.outcomes) {
        switch (outcome.ending) {
        case domain::Ending::Confirmed:
            ++report.confirmed;
            break;
        case domain::Ending::Failed:
            ++(outcome.failure == domain::Failure::InsufficientFunds ? report.refused
                                                                     : report.failed);
            break;
        case domain::Ending::Deferred:
        case domain::Ending::LeftAlone:
            ++report.deferred;
            break;
        case domain::Ending::WaitsForOriginal:
            ++report.waiting;
            break;
        case domain::Ending::AlreadyEnded:
            ++report.endedBefore;
            break;
        }
    }
}

} // namespace settle
