#include "processor/embedded/launch.h"

#include "processor/embedded/descriptor.h"
#include "processor/embedded/os_error.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace embedded {
namespace {

// Above 2, so that placing the three standard descriptors cannot overwrite it.
Descriptor aboveStandard(Descriptor low)
{
    if (!low.isOpen() || low.number() > 2) return low;
    return Descriptor{fcntl(low.number(), F_DUPFD_CLOEXEC, 3)};
}

struct Pipe
{
    Descriptor reader;
    Descriptor writer;
};

base::Result<Pipe> makePipe()
{
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return osError("pipe");
    return Pipe{aboveStandard(Descriptor{ends[0]}), aboveStandard(Descriptor{ends[1]})};
}

struct Streams
{
    int input;
    int output;
    int error;
};

// Everything the child needs, laid out before the fork: afterwards nothing may allocate, because
// another thread may have held the heap's lock at that moment.
class Image
{
public:
    explicit Image(const Launch& plan) : m_plan{plan}, m_parent{getpid()}
    {
        for (const auto& word : plan.argv) m_argv.push_back(const_cast<char*>(word.c_str()));
        for (const auto& word : plan.environment) m_envp.push_back(const_cast<char*>(word.c_str()));
        m_argv.push_back(nullptr);
        m_envp.push_back(nullptr);
    }

    [[noreturn]] void enter(const Streams& streams, int report) const noexcept
    {
        const int failure = prepare(streams, report);
        if (failure == 0) execve(m_argv.front(), m_argv.data(), m_envp.data());
        const int code = failure != 0 ? failure : errno;
        [[maybe_unused]] const auto written = write(report, &code, sizeof code);
        _exit(127);
    }

private:
    int prepare(const Streams& streams, int report) const noexcept
    {
        for (int number = 1; number < SIGRTMIN; ++number) signal(number, SIG_DFL);
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, nullptr);
        setsid(); // Ctrl-C in a terminal is for the parent, which then stops us in order
        umask(077);
        if (dup2(streams.input, 0) < 0 || dup2(streams.output, 1) < 0
            || dup2(streams.error, 2) < 0) {
            return errno;
        }
        syscall(SYS_close_range, 3U, ~0U, CLOSE_RANGE_CLOEXEC);
        (void)report; // is above 2 and close-on-exec: it closes when the program takes over
        if (m_plan.account && m_plan.account->isOther) {
            if (const int failure = becomeAccount(*m_plan.account); failure != 0) return failure;
        }
        // After the change of user, which clears it.
        if (prctl(PR_SET_PDEATHSIG, m_plan.deathSignal) != 0) return errno;
        if (getppid() != m_parent) _exit(127); // the parent died before the line above
        return 0;
    }

    const Launch& m_plan;
    pid_t m_parent;
    std::vector<char*> m_argv;
    std::vector<char*> m_envp;
};

base::Result<pid_t> start(const Launch& plan, const Streams& streams)
{
    CHECK(!plan.argv.empty());
    auto report = makePipe();
    if (!report) return report.error();

    const Image image{plan};
    const pid_t child = fork();
    if (child < 0) return osError("fork");
    if (child == 0) image.enter(streams, report->writer.number());

    report->writer.close();
    int failure = 0;
    ssize_t got = 0;
    do {
        got = read(report->reader.number(), &failure, sizeof failure);
    } while (got < 0 && errno == EINTR);
    if (got <= 0) return child; // closed by the exec

    while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {}
    errno = failure;
    return osError("cannot run " + plan.argv.front());
}

base::Result<Descriptor> openForAppend(const std::string& path)
{
    Descriptor file{open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)};
    if (!file.isOpen()) return osError("cannot write " + path);
    return aboveStandard(std::move(file));
}

std::string endOf(const std::string& text)
{
    constexpr std::size_t kShown = 2000;
    return text.size() <= kShown ? text : "…" + text.substr(text.size() - kShown);
}

// Reads until every writer has closed its end; false when the deadline came first.
bool readAll(const Descriptor& reader, std::chrono::milliseconds limit, std::string& into)
{
    const auto deadline = std::chrono::steady_clock::now() + limit;
    std::array<char, 4096> block{};
    for (;;) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            deadline - std::chrono::steady_clock::now());
        if (left.count() <= 0) return false;
        pollfd waited{reader.number(), POLLIN, 0};
        if (poll(&waited, 1, static_cast<int>(left.count())) <= 0) continue;
        const auto got = read(reader.number(), block.data(), block.size());
        if (got == 0) return true;
        if (got > 0) into.append(block.data(), static_cast<std::size_t>(got));
    }
}

} // namespace

base::Result<pid_t> launch(const Launch& plan)
{
    const Descriptor nothing = aboveStandard(Descriptor{open("/dev/null", O_RDONLY | O_CLOEXEC)});
    if (!nothing.isOpen()) return osError("/dev/null");
    const auto output = openForAppend(plan.outputFile);
    if (!output) return output.error();
    const auto error = openForAppend(plan.errorFile.empty() ? plan.outputFile : plan.errorFile);
    if (!error) return error.error();
    return start(plan, {nothing.number(), output->number(), error->number()});
}

base::Result<std::string> runToEnd(
    const Launch& plan, const std::string& input, std::chrono::milliseconds deadline)
{
    CHECK(input.size() <= 4096); // fits the pipe, so that writing it cannot block
    auto in = makePipe();
    if (!in) return in.error();
    auto out = makePipe();
    if (!out) return out.error();
    if (write(in->writer.number(), input.data(), input.size())
        != static_cast<ssize_t>(input.size())) {
        return osError("pipe");
    }

    const auto child
        = start(plan, {in->reader.number(), out->writer.number(), out->writer.number()});
    in->writer.close();
    out->writer.close();
    if (!child) return child.error();

    std::string said;
    const bool ended = readAll(out->reader, deadline, said);
    if (!ended) kill(*child, SIGKILL);
    int status = 0;
    while (waitpid(*child, &status, 0) < 0 && errno == EINTR) {}
    if (ended && WIFEXITED(status) && WEXITSTATUS(status) == 0) return said;
    return base::Error{base::ErrorKind::Unavailable,
        plan.argv.front() + (ended ? " failed: " : " did not end in time: ") + endOf(said)};
}

std::vector<std::string> plainEnvironment()
{
    return {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C", "TZ=UTC"};
}

} // namespace embedded
