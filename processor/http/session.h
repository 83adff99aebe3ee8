// Session: one connection's requests and answers in order, its deadlines and its end. No sockets.
#pragma once

#include "processor/http/request_reader.h"
#include "processor/http/responder.h"

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace http {

/// What the sessions of one server share. Used on the server's thread only.
struct SessionContext
{
    Handler handler;
    std::shared_ptr<Outbox> outbox;
    std::chrono::milliseconds requestDeadline;
    std::chrono::milliseconds idleTimeout;
    std::size_t bodyMax = base::kBodyMax;
};

/// Requests may be under way side by side (pipelining); their answers leave in the order of the
/// requests. Derived classes move octets; all calls come from the server's thread.
class Session : public std::enable_shared_from_this<Session>
{
public:
    using Clock = std::chrono::steady_clock;

    Session(SessionContext& context, std::uint64_t id, std::string remote);
    virtual ~Session() = default;
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    [[nodiscard]] std::uint64_t id() const { return m_id; }
    [[nodiscard]] bool isClosed() const { return m_phase == Phase::Closed; }
    /// Open, with no request begun or under way; since when.
    [[nodiscard]] std::optional<Clock::time_point> idleSince() const;

    virtual void start() = 0;
    void answer(std::uint64_t slot, std::optional<Response> response);
    /// Reads on and writes what is ready; after any number of answer() calls.
    void proceed();
    /// Ends what is late.
    void sweep(Clock::time_point now);
    /// Answers what is under way, takes nothing new, then ends.
    void finishSoon();
    void close();

protected:
    enum class Phase {
        Handshaking,
        Open,
        Lingering, // all is sent; what still comes in is dropped so that the answer arrives
        Closed
    };

    // The transport. startRead() and startWrite() end in exactly one of the on…() calls below.
    virtual void startRead(std::span<char> space) = 0;
    virtual void startWrite(std::string_view octets) = 0;
    virtual void endSending() = 0;
    virtual void closeTransport() = 0;

    void onReady(); // connected, and the handshake is over
    void onRead(std::size_t count);
    void onEndOfStream();
    void onWritten(std::size_t count);

    Phase m_phase = Phase::Open;

private:
    struct Slot
    {
        std::string traceId;
        bool isHead;
        bool isHttp10;
        bool closes;
        std::optional<std::string> octets = {};
    };

    void readRequests();
    void dispatch();
    void refuse(const ReadFailure& failure);
    [[nodiscard]] std::string serialize(
        const Slot& slot, const Response& response, bool isLast) const;
    void moveReadyAnswers();
    void continueReading();
    void linger();

    SessionContext& m_context;
    const std::uint64_t m_id;
    const std::string m_remote;
    RequestReader m_reader;

    std::vector<char> m_buffer;
    std::size_t m_begin = 0;
    std::size_t m_end = 0;
    bool m_isReading = false;
    bool m_hasBegun = false; // a request's first octet is there
    bool m_takesNoMore = false;
    bool m_owesContinue = false;
    std::size_t m_dropped = 0;

    std::deque<Slot> m_slots; // requests under way, oldest first
    std::uint64_t m_firstSlot = 0;
    std::string m_out;
    std::string m_writing;
    std::size_t m_written = 0;

    Clock::time_point m_since = Clock::now(); // of the phase, or of being idle
    Clock::time_point m_begunAt{};
    Clock::time_point m_writingSince{};
};

} // namespace http
