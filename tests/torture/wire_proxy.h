// A line to PostgreSQL that knows the protocol's messages and dies silently inside a chosen one.
#pragma once

#include <atomic>
#include <mutex>
#include <poll.h>
#include <string>
#include <thread>
#include <vector>

namespace torture {

/// Which message of a client is the last, and how much of it passes.
struct Cut
{
    enum class Where {
        Before, // the message does not pass
        Half, // its first half passes
        HalfRead, // it passes with all that belongs to it, and half of the answer's first piece
    };

    Where where = Where::Before;
    std::string at; // a text in the message
    std::string after = {}; // a text that must have passed on the same line before
};

/// Passes bytes both ways on a thread of its own until a line meets its cut. Then it is as if the
/// client's host were gone: no line passes anything any more, none is closed, and what was on its
/// way is kept for release().
class WireProxy
{
public:
    /// A place is HOST:PORT (listening: port 0 is any) or the file of a Unix socket.
    WireProxy(const std::string& listen, const std::string& target);
    ~WireProxy();
    WireProxy(const WireProxy&) = delete;
    WireProxy& operator=(const WireProxy&) = delete;

    [[nodiscard]] int port() const { return m_port; } // over TCP
    void arm(Cut cut);
    [[nodiscard]] bool hasStruck() const { return m_isFrozen; }
    /// The host is back: everything that was kept goes on its way.
    void release();

private:
    struct Line
    {
        int client;
        int server;
        bool isStarted = false; // its messages have types from now on
        bool isRaw = false; // and are not looked for any more
        bool hasPassedAfter = false;
        bool isToHalveAnswer = false;
        std::string fromClient = {}; // not yet passed
        std::string fromServer = {};
    };
    void serve();
    void acceptOne();
    void passKept();
    void passReady(const std::vector<pollfd>& ready);
    bool passFromClient(Line& line); // false: the line is to be closed
    bool passFromServer(Line& line);
    bool passMessages(Line& line);
    bool strikesAt(Line& line, std::string_view message);
    void wake() const;

    std::string m_target;
    int m_port = 0;
    int m_listener = -1;
    int m_wakeReader = -1;
    int m_wakeWriter = -1;
    std::vector<Line> m_lines; // of the thread
    std::mutex m_mutex; // guards the next two
    Cut m_cut;
    bool m_isArmed = false;
    std::atomic<bool> m_isFrozen{false};
    std::atomic<bool> m_stop{false};
    std::thread m_thread; // last: uses all of the above
};

} // namespace torture
