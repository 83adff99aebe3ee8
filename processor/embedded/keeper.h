// Keeps one store running: starts it, notices its death, starts it again, ends it in order.
#pragma once

#include "processor/base/result.h"
#include "processor/embedded/launch.h"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <sys/types.h>
#include <thread>

namespace embedded {

struct KeeperPlan
{
    std::string name; // for logs and errors
    Launch launch;
    int stopSignal;
    std::chrono::milliseconds startLimit; // from start to ready, recovery included
    std::chrono::milliseconds stopLimit; // afterwards it is killed
    std::function<base::Status()> clearLeftovers; // before each start
    std::function<bool(pid_t)> isReady; // asked every few milliseconds while it starts
    // Ready again after a death. Called on the keeper's thread, so it must be short.
    std::function<void()> onRestarted = {};
};

/// One thread per store: it forks the store, waits for its end and outlives it, because the death
/// signal follows the thread that forked.
class Keeper
{
public:
    explicit Keeper(KeeperPlan plan);
    Keeper(const Keeper&) = delete;
    Keeper& operator=(const Keeper&) = delete;
    ~Keeper();

    /// Returns when the store answers; an error (with the end of its log) after a few failed tries.
    base::Status start();
    /// Ends the store and its thread; does nothing when it has ended.
    void stop();

    /// Ends the store and keeps it down, as if its host were away, until release().
    void hold();
    base::Status release();

    /// Of the running store, ready or not; -1 while it is down.
    [[nodiscard]] pid_t pid() const;
    [[nodiscard]] bool isUp() const;
    /// True once the store is up, waiting for it if it must.
    [[nodiscard]] bool waitUp(std::chrono::milliseconds limit) const;

private:
    using Lock = std::unique_lock<std::mutex>;
    void keep();
    void runOnce();
    bool waitReady(Lock& lock);
    void waitEnd();
    void backOff(Lock& lock);
    void endStore(Lock& lock);
    void failed(const base::Error& error);
    std::string lastWords() const;

    KeeperPlan m_plan;
    mutable std::mutex m_mutex;
    mutable std::condition_variable m_changed;
    bool m_stopping = false;
    bool m_held = false;
    bool m_up = false;
    bool m_wasUp = false; // in any run
    int m_failures = 0; // starts in a row that did not become ready
    std::string m_lastError;
    pid_t m_pid = -1;
    std::thread m_thread; // last: uses all of the above
};

} // namespace embedded
