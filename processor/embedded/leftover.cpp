#include "processor/embedded/leftover.h"

#include "processor/base/log.h"
#include "processor/embedded/descriptor.h"
#include "processor/embedded/private_file.h"

#include <cerrno>
#include <charconv>
#include <csignal>
#include <poll.h>
#include <sys/syscall.h>

namespace embedded {
namespace {

bool isZombie(pid_t pid)
{
    // "123 (name) S …": the name may contain anything, so the state is after the last parenthesis.
    const auto stat = readFile("/proc/" + std::to_string(pid) + "/stat");
    if (!stat) return true;
    const auto end = stat->rfind(") ");
    return end == std::string::npos || end + 2 >= stat->size() || (*stat)[end + 2] == 'Z'
        || (*stat)[end + 2] == 'X';
}

} // namespace

pid_t recordedPid(const std::string& pidFile)
{
    const auto content = readFile(pidFile);
    pid_t pid = 0;
    if (content) std::from_chars(content->data(), content->data() + content->size(), pid);
    return pid;
}

bool isOurs(pid_t pid, const std::string& mark)
{
    if (pid <= 1 || isZombie(pid)) return false;
    const auto commandLine = readFile("/proc/" + std::to_string(pid) + "/cmdline");
    return commandLine && commandLine->find(mark) != std::string::npos;
}

base::Status awaitEnd(const std::string& pidFile, const std::string& mark, int stopSignal,
    std::chrono::milliseconds deadline)
{
    const pid_t pid = recordedPid(pidFile);
    if (!isOurs(pid, mark)) return base::Done{};

    base::logInfo("a store of an earlier run is still there, ending it",
        {{"pid", std::int64_t{pid}}, {"pid_file", pidFile}});
    // Not our child, so there is nothing to wait() for; the descriptor becomes readable at its end.
    const Descriptor process{static_cast<int>(syscall(SYS_pidfd_open, pid, 0))};
    if (!isOurs(pid, mark)) return base::Done{};
    kill(pid, stopSignal);
    pollfd waited{process.number(), POLLIN, 0};
    const auto end = std::chrono::steady_clock::now() + deadline;
    while (isOurs(pid, mark)) {
        if (std::chrono::steady_clock::now() >= end) {
            return base::Error{base::ErrorKind::Unavailable,
                "process " + std::to_string(pid) + " of an earlier run does not end"};
        }
        // Short waits also without pidfd (old kernels), where poll merely passes the time.
        poll(&waited, 1, 20);
    }
    return base::Done{};
}

} // namespace embedded
