// A program under test: output kept, end awaited, killed with its group when the scope ends.
#pragma once

#include "processor/base/result.h"
#include "processor/embedded/account.h"
#include "tests/support/temp_folder.h"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace support {

struct ProcessPlan
{
    std::string program; // a path
    std::vector<std::string> arguments = {};
    std::vector<std::string> environment = {}; // NAME=VALUE over ours; "NAME" alone removes it
    std::optional<embedded::Account> account = {}; // whom to become, when we are root
    std::string outputFile = {}; // stdout; empty: a file of this object's own
    std::string errorFile = {}; // stderr; likewise
};

/// Start it from a thread that lives as long as the program shall (the main thread, usually): the
/// kernel ends it with the thread that forked it.
class Process
{
public:
    static base::Result<std::unique_ptr<Process>> start(ProcessPlan plan);
    ~Process();
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    [[nodiscard]] pid_t pid() const { return m_pid; }
    [[nodiscard]] bool isRunning();

    void signal(int number);
    /// SIGKILL, and its end awaited.
    void kill();
    /// SIGTERM; its exit status, or nothing (and SIGKILL) when it takes too long.
    std::optional<int> terminate(std::chrono::milliseconds limit = std::chrono::seconds{30});
    /// The exit status, 128 + n when signal n ended it; nothing when it still runs at the deadline.
    std::optional<int> waitExit(std::chrono::milliseconds limit);

    /// The first complete line of stdout that contains `text`; an error when the program ends or
    /// the deadline comes first, with what it wrote to stderr.
    base::Result<std::string> waitLine(std::string_view text, std::chrono::milliseconds limit);

    [[nodiscard]] std::string output() const;
    [[nodiscard]] std::string errorOutput() const;

private:
    Process() = default;
    void noteEnd(int status);

    TempFolder m_folder;
    std::string m_outputFile;
    std::string m_errorFile;
    pid_t m_pid = -1;
    std::optional<int> m_exit;
};

/// True while a process with that number exists and is not a zombie: an orphan may stay one for as
/// long as process 1 likes, so kill(pid, 0) proves nothing.
[[nodiscard]] bool isAlive(pid_t pid);

/// Where the programs of this build are: $COUNTERSIGN_BIN, else the folder of this executable.
[[nodiscard]] std::string binFolder();

} // namespace support
