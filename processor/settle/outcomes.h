// What the outcomes of a decision mean for its batch: who was decided, who gets a letter.
#pragma once

#include "processor/settle/letter.h"
#include "processor/settle/reading.h"
#include "processor/settle/report.h"

#include <vector>

namespace settle {

/// Its work row goes: it ended, had ended before or waits for its original.
bool isDecided(const domain::Outcome& outcome);

/// The numbers of those, in order.
std::vector<domain::EventNo> decidedEvents(const domain::Decision& decision);

/// One for each outcome that says so.
std::vector<Letter> lettersOf(const Reading& reading, const domain::Decision& decision);

/// Adds them to the report.
void countOutcomes(const domain::Decision& decision, Report& report);

} // namespace settle
