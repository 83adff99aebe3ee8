#include "tests/support/process.h"

#include "processor/embedded/launch.h"
#include "processor/embedded/private_file.h"
#include "tests/support/wait.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace support {
namespace {

std::vector<std::string> environmentWith(const std::vector<std::string>& changes)
{
    std::vector<std::string> all;
    for (char** entry = environ; *entry; ++entry) {
        const std::string_view inherited{*entry};
        const auto name = inherited.substr(0, inherited.find('='));
        bool replaced = false;
        for (const auto& change : changes) {
            replaced = replaced || std::string_view{change}.substr(0, change.find('=')) == name;
        }
        if (!replaced) all.emplace_back(inherited);
    }
    for (const auto& change : changes) {
        if (change.find('=') != std::string::npos) all.push_back(change);
    }
    return all;
}

std::string contentOf(const std::string& path)
{
    const auto content = embedded::readFile(path);
    return content ? *content : std::string{};
}

} // namespace

base::Result<std::unique_ptr<Process>> Process::start(ProcessPlan plan)
{
    std::unique_ptr<Process> process{new Process};
    const auto& own = process->m_folder;
    process->m_outputFile = plan.outputFile.empty() ? own.file("stdout") : plan.outputFile;
    process->m_errorFile = plan.errorFile.empty() ? own.file("stderr") : plan.errorFile;

    embedded::Launch launch{.argv = {plan.program},
        .environment = environmentWith(plan.environment),
        .account = plan.account,
        .deathSignal = SIGKILL,
        .outputFile = process->m_outputFile,
        .errorFile = process->m_errorFile};
    launch.argv.insert(launch.argv.end(), plan.arguments.begin(), plan.arguments.end());
    const auto pid = embedded::launch(launch);
    if (!pid) return pid.error();
    process->m_pid = *pid;
    return process;
}

Process::~Process()
{
    if (m_pid < 0) return;
    ::kill(-m_pid, SIGKILL); // launch() gave it a group of its own
    if (!m_exit) kill();
}

bool Process::isRunning()
{
    return !waitExit(std::chrono::milliseconds{0});
}

void Process::signal(int number)
{
    if (isRunning()) ::kill(m_pid, number); // not reaped, so the number is still its own
}

void Process::kill()
{
    signal(SIGKILL);
    int status = 0;
    while (!m_exit) {
        if (waitpid(m_pid, &status, 0) == m_pid) noteEnd(status);
        else CHECK(errno == EINTR);
    }
}

std::optional<int> Process::terminate(std::chrono::milliseconds limit)
{
    signal(SIGTERM);
    const auto status = waitExit(limit);
    if (!status) kill();
    return status;
}

std::optional<int> Process::waitExit(std::chrono::milliseconds limit)
{
    const auto ended = [this] {
        int status = 0;
        if (!m_exit && waitpid(m_pid, &status, WNOHANG) == m_pid) noteEnd(status);
        return m_exit.has_value();
    };
    if (!waitUntil(ended, limit)) return std::nullopt;
    return m_exit;
}

base::Result<std::string> Process::waitLine(std::string_view text, std::chrono::milliseconds limit)
{
    std::string line;
    const auto seen = [&] {
        const auto all = output();
        const auto at = all.find(text);
        if (at == std::string::npos) return false;
        const auto end = all.find('\n', at);
        if (end == std::string::npos) return false;
        const auto before = all.rfind('\n', at);
        const auto start = before == std::string::npos ? 0 : before + 1;
        line = all.substr(start, end - start);
        return true;
    };
    const auto decided = [&] { return seen() || !isRunning(); };
    // Asked once more after its end: the line may have been the last thing it wrote.
    if (waitUntil(decided, limit) && seen()) return line;
    return base::Error{base::ErrorKind::Unavailable,
        "no line with '" + std::string{text} + "' on stdout; stderr: " + errorOutput()};
}

std::string Process::output() const
{
    return contentOf(m_outputFile);
}

std::string Process::errorOutput() const
{
    return contentOf(m_errorFile);
}

void Process::noteEnd(int status)
{
    m_exit = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

bool isAlive(pid_t pid)
{
    if (pid <= 0) return false;
    const auto stat = embedded::readFile("/proc/" + std::to_string(pid) + "/stat");
    if (!stat) return false;
    const auto end = stat->rfind(") ");
    return end != std::string::npos && end + 2 < stat->size() && (*stat)[end + 2] != 'Z'
        && (*stat)[end + 2] != 'X';
}

std::string binFolder()
{
    const char* folder = std::getenv("COUNTERSIGN_BIN");
    if (folder != nullptr && *folder != 0) return folder;
    std::array<char, 4096> path{};
    const auto length = readlink("/proc/self/exe", path.data(), path.size());
    CHECK(length > 0);
    const std::string self{path.data(), static_cast<std::size_t>(length)};
    return self.substr(0, self.rfind('/'));
}

} // namespace support
