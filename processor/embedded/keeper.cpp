#include "processor/embedded/keeper.h"

#include "processor/base/log.h"
#include "processor/embedded/private_file.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <sys/stat.h>
#include <sys/wait.h>

namespace embedded {
namespace {

using namespace std::chrono_literals;

constexpr int kFirstStartTries = 5; // backends of a killed postmaster need a moment to go
constexpr auto kPollEvery = 3ms;
constexpr auto kBackOffFirst = 50ms;
constexpr auto kBackOffMost = 5000ms;
constexpr std::uintmax_t kLogKept = 10 << 20;

void rotate(const std::string& log)
{
    std::error_code none;
    const auto size = std::filesystem::file_size(log, none);
    if (!none && size > kLogKept) std::filesystem::rename(log, log + ".1", none);
}

// Ended, but not yet reaped: the number stays ours until it is, so that no signal can go astray.
bool hasEnded(pid_t pid, int options)
{
    siginfo_t info{};
    while (waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT | options) < 0) {
        if (errno != EINTR) return true;
    }
    return info.si_pid == pid;
}

std::string describe(int status)
{
    if (WIFSIGNALED(status)) return "killed by signal " + std::to_string(WTERMSIG(status));
    return "exit status " + std::to_string(WEXITSTATUS(status));
}

} // namespace

Keeper::Keeper(KeeperPlan plan) : m_plan{std::move(plan)} {}

Keeper::~Keeper()
{
    stop();
}

base::Status Keeper::start()
{
    CHECK(!m_thread.joinable());
    m_thread = std::thread{[this] { keep(); }};
    Lock lock{m_mutex};
    m_changed.wait(lock, [this] { return m_up || m_failures >= kFirstStartTries; });
    if (m_up) return base::Done{};
    const auto why = m_lastError;
    lock.unlock();
    stop();
    return base::Error{base::ErrorKind::Unavailable, m_plan.name + " does not start: " + why};
}

void Keeper::stop()
{
    if (!m_thread.joinable()) return;
    {
        Lock lock{m_mutex};
        m_stopping = true;
        m_changed.notify_all();
        endStore(lock);
    }
    m_thread.join();
}

void Keeper::hold()
{
    Lock lock{m_mutex};
    m_held = true;
    m_changed.notify_all();
    endStore(lock);
}

base::Status Keeper::release()
{
    {
        const Lock lock{m_mutex};
        m_held = false;
        m_failures = 0;
        m_changed.notify_all();
    }
    if (waitUp(m_plan.startLimit)) return base::Done{};
    return base::Error{base::ErrorKind::Unavailable, m_plan.name + " did not come back"};
}

pid_t Keeper::pid() const
{
    const Lock lock{m_mutex};
    return m_pid;
}

bool Keeper::isUp() const
{
    const Lock lock{m_mutex};
    return m_up;
}

bool Keeper::waitUp(std::chrono::milliseconds limit) const
{
    Lock lock{m_mutex};
    return m_changed.wait_for(lock, limit, [this] { return m_up; });
}

void Keeper::endStore(Lock& lock)
{
    if (m_pid > 0) kill(m_pid, m_plan.stopSignal);
    const auto gone = [this] { return m_pid < 0; };
    if (m_changed.wait_for(lock, m_plan.stopLimit, gone)) return;
    base::logWarning(
        "store does not end, killing it", {{"store", m_plan.name}, {"pid", std::int64_t{m_pid}}});
    if (m_pid > 0) kill(m_pid, SIGKILL);
    m_changed.wait(lock, gone);
}

void Keeper::keep()
{
    Lock lock{m_mutex};
    for (;;) {
        m_changed.wait(lock, [this] { return m_stopping || !m_held; });
        if (m_stopping) return;
        lock.unlock();
        runOnce();
        lock.lock();
        backOff(lock);
    }
}

// One life of the store, from clearing up before it to reaping it.
void Keeper::runOnce()
{
    if (const auto cleared = m_plan.clearLeftovers(); !cleared) return failed(cleared.error());
    rotate(m_plan.launch.outputFile);

    Lock lock{m_mutex};
    if (m_stopping || m_held) return;
    const auto started = launch(m_plan.launch); // under the lock: stop() must see the number
    if (!started) {
        lock.unlock();
        return failed(started.error());
    }
    m_pid = *started;
    if (waitReady(lock)) {
        const bool again = m_wasUp;
        m_up = m_wasUp = true;
        m_failures = 0;
        m_changed.notify_all();
        lock.unlock();
        if (again) {
            base::logInfo("store is up again", {{"store", m_plan.name}});
            if (m_plan.onRestarted) m_plan.onRestarted();
        }
    } else {
        lock.unlock();
    }
    waitEnd();
}

bool Keeper::waitReady(Lock& lock)
{
    const auto deadline = std::chrono::steady_clock::now() + m_plan.startLimit;
    while (!m_stopping && !m_held && !hasEnded(m_pid, WNOHANG)) {
        if (m_plan.isReady(m_pid)) return true;
        if (std::chrono::steady_clock::now() >= deadline) {
            kill(m_pid, SIGKILL);
            return false;
        }
        m_changed.wait_for(lock, kPollEvery);
    }
    return false;
}

void Keeper::waitEnd()
{
    const pid_t running = pid();
    hasEnded(running, 0);

    Lock lock{m_mutex};
    int status = 0;
    while (waitpid(running, &status, 0) < 0 && errno == EINTR) {}
    const bool wasReady = m_up;
    const bool asked = m_stopping || m_held;
    m_pid = -1;
    m_up = false;
    m_changed.notify_all();
    lock.unlock();

    const auto how = describe(status);
    if (asked) return;
    if (!wasReady) {
        return failed({base::ErrorKind::Unavailable, how + "; its log ends: " + lastWords()});
    }
    base::logError("store died, starting it again", {{"store", m_plan.name}, {"how", how}});
}

void Keeper::failed(const base::Error& error)
{
    base::logWarning("store does not start", {{"store", m_plan.name}, {"why", error.message}});
    const Lock lock{m_mutex};
    m_lastError = error.message;
    ++m_failures;
    m_changed.notify_all();
}

void Keeper::backOff(Lock& lock)
{
    const int doublings = std::clamp(m_failures - 1, 0, 10);
    const auto pause
        = m_failures == 0 ? 0ms : std::min(kBackOffFirst * (1 << doublings), kBackOffMost);
    m_changed.wait_for(lock, pause, [this] { return m_stopping || m_held || m_failures == 0; });
}

std::string Keeper::lastWords() const
{
    constexpr std::size_t kShown = 1500;
    const auto log = readFile(m_plan.launch.outputFile);
    if (!log) return "(no log)";
    return log->size() <= kShown ? *log : log->substr(log->size() - kShown);
}

} // namespace embedded
