// The books of a tortured database, checked from outside: tables and stream, nothing of the code.
#pragma once

#include "tests/support/database.h"

#include <chrono>
#include <string>
#include <vector>

namespace torture {

struct BooksPlan
{
    /// Events that were answered 200.
    std::vector<std::string> promised = {};
    /// A condition on payment_events e: events that may fail, have letters or still wait.
    std::string excused = "false";
    /// unix://… or redis://…; empty: the stream is not looked at.
    std::string redisUrl = {};
};

/// True once every event has ended, or is excused.
[[nodiscard]] bool waitEnded(support::Database& database, std::chrono::milliseconds limit,
    const std::string& excused = "false");

/// What is wrong, a line each; empty when all is right. Waits for the relay to reach the log's end.
[[nodiscard]] std::string complaints(support::Database& database, const BooksPlan& plan);

} // namespace torture
