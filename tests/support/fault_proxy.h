// FaultProxy: stands between a client and a Unix socket and loses what a test wants lost.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace support {

/// Passes bytes both ways on a thread of its own. A fault is armed for the future and strikes all
/// connections once the client has sent the trigger text; an empty one strikes at once.
class FaultProxy
{
public:
    enum class Fault {
        None,
        LoseAnswers, // the server's bytes vanish, both lines stay up
        CutAfterAnswer, // the server answers, the answer vanishes and both lines are closed
        CutBefore, // the request with the trigger vanishes and both lines are closed
        Stall, // nothing is read from either side any more
    };

    /// Listens on `listenFile`, which must not exist, and connects each client to `targetFile`.
    FaultProxy(std::string listenFile, std::string targetFile);
    ~FaultProxy();
    FaultProxy(const FaultProxy&) = delete;
    FaultProxy& operator=(const FaultProxy&) = delete;

    void arm(Fault fault, std::string trigger = {});
    [[nodiscard]] bool hasStruck() const { return m_struck; }

private:
    struct Line
    {
        int client;
        int server;
    };
    void serve();
    void acceptOne();
    bool passRequest(const Line& line); // false: the line is to be closed
    bool passAnswer(const Line& line);
    void wake() const;

    std::string m_listenFile;
    std::string m_targetFile;
    int m_listener = -1;
    int m_wakeReader = -1;
    int m_wakeWriter = -1;
    std::vector<Line> m_lines; // of the thread
    std::mutex m_mutex; // guards the next two
    Fault m_fault = Fault::None;
    std::string m_trigger;
    std::atomic<bool> m_struck{false};
    std::atomic<bool> m_stop{false};
    std::thread m_thread; // last: uses all of the above
};

} // namespace support
