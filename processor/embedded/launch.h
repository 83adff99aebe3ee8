// Starts programs that end with their parent: the kernel signals them when it dies, in any way.
#pragma once

#include "processor/base/result.h"
#include "processor/embedded/account.h"

#include <chrono>
#include <csignal>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace embedded {

struct Launch
{
    std::vector<std::string> argv; // argv[0] is the path of the program
    std::vector<std::string> environment; // NAME=VALUE; nothing is inherited
    std::optional<Account> account = {}; // whom to become; none: stay as we are
    int deathSignal = SIGTERM; // sent when the thread that called launch() ends
    std::string outputFile = "/dev/null"; // stdout, appended
    std::string errorFile = ""; // stderr, appended; empty: where stdout goes
};

/// Starts the program in a session of its own, with default signals and only three descriptors.
/// An error means that it never ran. The death signal follows the calling *thread*, so call this
/// from one that lives as long as the program shall.
base::Result<pid_t> launch(const Launch& plan);

/// Runs a short program to its end, feeds it `input` (at most 4096 bytes) and returns what it wrote
/// to stdout and stderr. A status other than 0 is an Error that contains the output; a program that
/// passes the deadline is killed. The files of the plan are not used.
base::Result<std::string> runToEnd(
    const Launch& plan, const std::string& input, std::chrono::milliseconds deadline);

/// What a stored program's environment consists of, whatever started us.
std::vector<std::string> plainEnvironment();

} // namespace embedded
