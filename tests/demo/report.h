// Report: the demonstration's result as a table for people and as one line for programs.
#pragma once

#include "tests/demo/audit.h"
#include "tests/demo/latency.h"
#include "tests/demo/tally.h"

#include <chrono>
#include <string>

namespace demo {

struct Report
{
    Answers answers;
    Findings findings;
    Latency latency;
    std::chrono::milliseconds duration{0}; // of the busy part, until all was settled

    [[nodiscard]] bool isRight() const
    {
        return findings.complaints.empty() && answers.unexpected.empty() && latency.measured > 0;
    }
};

[[nodiscard]] std::string tableOf(const Report& report);
[[nodiscard]] std::string jsonOf(const Report& report);

} // namespace demo
