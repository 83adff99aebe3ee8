// What the demonstration is asked for on its command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace demo {

struct Options
{
    std::string folder; // empty: a private one, removed at the end
    bool isHeadless = false;
    bool isJson = false;
    std::uint64_t seed = 1;
    std::size_t events = 4'000;
};

inline constexpr const char* kUsage
    = "usage: countersign-demo [--headless] [--json] [--dir DIR] [--events N] [--seed N]\n"
      "\n"
      "Starts a private PostgreSQL and Redis with the processor in two processes, sends thousands\n"
      "of signed webhooks, many of them twice, forged or wrong, kills the settling process and\n"
      "Redis on the way, and shows that the books are right.\n"
      "\n"
      "  --headless   end afterwards instead of staying up for playing\n"
      "  --json       print one line of JSON after the table\n"
      "  --dir DIR    keep the data there (otherwise a temporary folder, removed at the end)\n"
      "  --events N   how many honest payments (4000)\n"
      "  --seed N     another mixture (1)\n";

/// Empty: somebody asked for help or wrote something nobody understands; `complaint` says which.
std::optional<Options> readOptions(int argc, char** argv, std::string& complaint);

} // namespace demo
