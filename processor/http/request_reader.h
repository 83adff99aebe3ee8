// RequestReader: octets to one request, strictly. Knows no sockets.
#pragma once

#include "processor/base/limits.h"
#include "processor/http/message.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace http {

/// Why the octets are no request that is served; the connection cannot go on after it.
struct ReadFailure
{
    int status;
    std::string code;
    std::string detail;
};

/// Fed with octets as they come. Refuses bodies above the bound and headers above
/// base::kHeaderMax as soon as they show, a missing or repeated Host, Content-Length beside
/// Transfer-Encoding, differing or malformed lengths, codings other than chunked: whatever two
/// parties in a row might read differently.
class RequestReader
{
public:
    enum class State { NeedsMore, Complete, Failed };

    /// `bodyMax` is at most base::kBodyMax.
    explicit RequestReader(std::size_t bodyMax = base::kBodyMax);
    ~RequestReader();

    /// Forgets the last request; called before the first octet of each.
    void begin();

    /// Takes what it can use from the front of `octets` and returns how many that were; the rest is
    /// to be given again, followed by more.
    std::size_t feed(std::span<const char> octets);

    [[nodiscard]] State state() const { return m_state; }
    [[nodiscard]] const ReadFailure& failure() const;
    /// True once when the client waits for "100 Continue" before it sends the body.
    [[nodiscard]] bool takeWantsContinue();
    /// Whether the connection may stay open after this (complete) request.
    [[nodiscard]] bool keepsAlive() const;
    [[nodiscard]] bool isHttp10() const;
    /// The trace id of what has been read so far; the same at every call.
    [[nodiscard]] const std::string& traceId();
    /// The complete request, without remote and times.
    [[nodiscard]] Request take();

private:
    struct Parser;
    void judgeHeader();
    void fail(int status, std::string code, std::string detail);

    std::size_t m_bodyMax;
    std::unique_ptr<Parser> m_parser;
    State m_state = State::NeedsMore;
    bool m_isHeaderJudged = false;
    bool m_wantsContinue = false;
    std::optional<ReadFailure> m_failure;
    std::string m_traceId;
};

} // namespace http
