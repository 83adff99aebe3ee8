// Threads: the processor's fixed list of named threads, made here and nowhere else.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace processor {

/// Threads that start together and are stopped together. Several lists end in an order; within one
/// the order does not matter.
class Threads
{
public:
    using Body = std::function<void(const std::stop_token&)>;

    Threads() = default;
    /// Asks all to stop and waits without limit; stop() before is the way with one.
    ~Threads() = default;
    Threads(const Threads&) = delete;
    Threads& operator=(const Threads&) = delete;

    /// `name` has at most 15 characters: the kernel shows it in ps, gdb and top. A body that
    /// throws, or returns before it was asked to, has failed.
    void start(std::string name, Body body);

    void requestStop();
    /// True when every thread has ended; waits at most `patience` for it.
    [[nodiscard]] bool join(std::chrono::milliseconds patience);

    /// Names of threads that failed, and of those that still run.
    [[nodiscard]] std::vector<std::string> failed() const;
    [[nodiscard]] std::vector<std::string> running() const;

private:
    enum class State { Runs, Ended, Failed };
    struct Entry
    {
        std::string name;
        State state;
    };

    void enter(std::size_t index, const Body& body, const std::stop_token& stop);
    void mark(std::size_t index, State state);
    std::vector<std::string> inState(State state) const;

    mutable std::mutex m_mutex;
    std::condition_variable m_ended;
    std::vector<Entry> m_entries;
    std::vector<std::jthread> m_threads; // last: joined before what they use goes
};

} // namespace processor
