// Whether a CHECK ends the process: a test of a broken promise, run in a child.
#pragma once

#include <csignal>
#include <cstdlib>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace support {

/** Runs `broken` in a forked child; true if it aborts. The child's complaint is not shown. */
template <class Broken>
bool endsProcess(Broken broken)
{
    const pid_t child = fork();
    if (child == 0) {
        const rlimit noCore{0, 0};
        setrlimit(RLIMIT_CORE, &noCore);
        const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
        std::signal(SIGABRT, SIG_DFL); // Qt Test's handler would print a stack
        broken();
        _exit(0);
    }
    int status = 0;
    return child > 0 && waitpid(child, &status, 0) == child && WIFSIGNALED(status)
        && WTERMSIG(status) == SIGABRT;
}

} // namespace support
