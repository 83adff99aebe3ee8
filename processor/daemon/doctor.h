// Doctor: what is wrong, or merely worth knowing, about the stores the processor is given.
#pragma once

#include "processor/pg/connection.h"

#include <string>
#include <vector>

namespace processor {

enum class Grade {
    Fine,
    Note, // nothing is wrong, but somebody should know
    Warning, // works, with less than was promised
    Wrong, // must be healed before money is entrusted to it
};

struct Diagnosis
{
    std::string subject;
    Grade grade;
    std::string text;
};

/// PostgreSQL: version, login, rights, schema, the role's settings, what a crash or a failover may
/// lose, and the clock.
std::vector<Diagnosis> examineDatabase(const pg::ConnectOptions& options);

/// Redis: version, what it does when full, whether it survives its own restart, and the clock.
/// `subject` names it in the findings. Its absence is a warning: processing goes on without it.
std::vector<Diagnosis> examineRedis(const std::string& url, const std::string& subject);

/// As text, one line each, or as one JSON object.
std::string reportOf(const std::vector<Diagnosis>& diagnoses, bool asJson);

[[nodiscard]] bool isAnyWrong(const std::vector<Diagnosis>& diagnoses);

} // namespace processor
