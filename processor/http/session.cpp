#include "processor/http/session.h"

#include "processor/base/check.h"
#include "processor/base/limits.h"
#include "processor/http/refusal.h"

#include <array>
#include <cstring>
#include <ctime>
#include <utility>

namespace http {
namespace {

// A header must fit whole, for the parser reads it in one piece.
constexpr std::size_t kBufferSize = 16'384;
static_assert(kBufferSize > base::kHeaderMax);

constexpr std::chrono::seconds kRetryAfter{2};

// RFC 9110, 5.6.7: always GMT and always English, whatever the locale. Made once a second.
const std::string& dateNow()
{
    thread_local std::time_t made = -1;
    thread_local std::string text;
    const std::time_t now = std::time(nullptr);
    if (now == made) return text;
    static constexpr std::array kDays{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static constexpr std::array kMonths{
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    std::tm parts{};
    gmtime_r(&now, &parts);
    std::array<char, 64> line{};
    const std::size_t tail = std::strftime(line.data(), line.size(), " %Y %H:%M:%S GMT", &parts);
    text = kDays[static_cast<std::size_t>(parts.tm_wday)];
    text += parts.tm_mday < 10 ? ", 0" : ", ";
    text += std::to_string(parts.tm_mday) + ' ';
    text += kMonths[static_cast<std::size_t>(parts.tm_mon)];
    text.append(line.data(), tail);
    made = now;
    return text;
}

} // namespace

Session::Session(SessionContext& context, std::uint64_t id, std::string remote)
    : m_context{context}
    , m_id{id}
    , m_remote{std::move(remote)}
    , m_reader{context.bodyMax}
{}

std::optional<Session::Clock::time_point> Session::idleSince() const
{
    const bool isIdle = m_phase == Phase::Open && !m_hasBegun && m_slots.empty() && m_out.empty()
        && m_writing.empty();
    return isIdle ? std::optional{m_since} : std::nullopt;
}

void Session::onReady()
{
    m_phase = Phase::Open;
    m_since = Clock::now();
    proceed();
}

void Session::onRead(std::size_t count)
{
    m_isReading = false;
    if (m_phase == Phase::Closed) return;
    if (m_phase == Phase::Lingering) {
        m_dropped += count;
        if (m_dropped > base::kLingerMax) return close();
        m_isReading = true;
        return startRead(m_buffer);
    }
    m_end += count;
    proceed();
}

void Session::onEndOfStream()
{
    m_isReading = false;
    if (m_phase != Phase::Open) return close();
    // The other side may only have closed its sending half: what is under way is still answered.
    finishSoon();
}

void Session::proceed()
{
    if (m_phase != Phase::Open) return;
    readRequests();
    moveReadyAnswers();
    if (m_writing.empty() && !m_out.empty()) {
        m_writing = std::exchange(m_out, {});
        m_written = 0;
        m_writingSince = Clock::now();
        startWrite(m_writing); // may end, and come back, at once
        return;
    }
    if (m_takesNoMore && m_slots.empty() && m_writing.empty() && m_out.empty()) return linger();
    continueReading();
}

void Session::onWritten(std::size_t count)
{
    if (m_phase == Phase::Closed) return;
    m_written += count;
    if (m_written < m_writing.size()) {
        m_writingSince = Clock::now();
        return startWrite(std::string_view{m_writing}.substr(m_written));
    }
    m_writing.clear();
    if (m_slots.empty()) m_since = Clock::now();
    proceed();
}

void Session::readRequests()
{
    while (!m_takesNoMore && m_begin < m_end && m_slots.size() < base::kPipelinedMax) {
        if (!std::exchange(m_hasBegun, true)) {
            m_reader.begin();
            m_begunAt = Clock::now();
        }
        m_begin += m_reader.feed({m_buffer.data() + m_begin, m_end - m_begin});
        if (m_reader.takeWantsContinue()) m_owesContinue = true;
        if (m_reader.state() == RequestReader::State::Failed) return refuse(m_reader.failure());
        if (m_reader.state() == RequestReader::State::NeedsMore) break;
        dispatch();
    }
    if (m_begin == m_end) {
        m_begin = m_end = 0;
    } else if (m_begin > 0) {
        std::memmove(m_buffer.data(), m_buffer.data() + m_begin, m_end - m_begin);
        m_end -= std::exchange(m_begin, 0);
    }
    // The parser limits headers; the line of a chunk's size and the trailer only this does.
    if (m_hasBegun && m_end == kBufferSize) {
        refuse({431, "invalid_request", "a line or a trailer of the body is too long"});
    }
}

void Session::dispatch()
{
    m_hasBegun = false;
    m_owesContinue = false;
    const bool keepsAlive = m_reader.keepsAlive();
    const bool isHttp10 = m_reader.isHttp10();
    Request request = m_reader.take();
    request.remote = m_remote;
    request.receivedAt = Clock::now();
    m_slots.push_back({request.traceId, request.method == "HEAD", isHttp10, !keepsAlive});
    if (!keepsAlive) m_takesNoMore = true;
    m_context.handler(
        std::move(request), Responder{m_context.outbox, m_id, m_firstSlot + m_slots.size() - 1});
}

void Session::refuse(const ReadFailure& failure)
{
    const std::string traceId = m_reader.traceId();
    m_hasBegun = false;
    m_owesContinue = false;
    m_takesNoMore = true;
    m_begin = m_end = 0;
    Slot slot{traceId, false, false, true};
    slot.octets
        = serialize(slot, refusal(failure.status, failure.code, failure.detail, traceId), true);
    m_slots.push_back(std::move(slot));
}

void Session::answer(std::uint64_t slotNo, std::optional<Response> response)
{
    if (m_phase != Phase::Open) return;
    CHECK(slotNo >= m_firstSlot && slotNo - m_firstSlot < m_slots.size());
    const std::size_t index = slotNo - m_firstSlot;
    Slot& slot = m_slots[index];
    CHECK(!slot.octets);
    if (!response) response = unavailable("this request was given up", slot.traceId, kRetryAfter);
    slot.octets = serialize(slot, *response, index + 1 == m_slots.size());
}

std::string Session::serialize(const Slot& slot, const Response& response, bool isLast) const
{
    const bool closes = slot.closes || (m_takesNoMore && isLast);
    std::string out;
    out.reserve(256 + response.body.size());
    out += "HTTP/1.1 " + std::to_string(response.status) + ' ';
    out += reasonPhrase(response.status);
    out += "\r\nDate: " + dateNow();
    out += "\r\nContent-Type: " + response.contentType;
    out += "\r\nContent-Length: " + std::to_string(response.body.size());
    out += "\r\nX-Request-ID: " + slot.traceId;
    for (const Header& header : response.headers) {
        out += "\r\n" + header.name + ": " + header.value;
    }
    if (closes) out += "\r\nConnection: close";
    if (!closes && slot.isHttp10) out += "\r\nConnection: keep-alive";
    out += "\r\n\r\n";
    if (!slot.isHead) out += response.body;
    return out;
}

void Session::moveReadyAnswers()
{
    while (!m_slots.empty() && m_slots.front().octets) {
        m_out += *m_slots.front().octets;
        m_slots.pop_front();
        ++m_firstSlot;
    }
    if (m_owesContinue && m_slots.empty()) {
        m_owesContinue = false;
        m_out += "HTTP/1.1 100 Continue\r\n\r\n";
    }
}

void Session::continueReading()
{
    if (m_isReading || m_takesNoMore || m_slots.size() >= base::kPipelinedMax) return;
    if (m_buffer.empty()) m_buffer.resize(kBufferSize);
    CHECK(m_end < m_buffer.size()); // what is this large has been refused
    m_isReading = true;
    startRead(std::span{m_buffer}.subspan(m_end));
}

void Session::sweep(Clock::time_point now)
{
    switch (m_phase) {
    case Phase::Closed:
        return;
    case Phase::Handshaking:
        if (now - m_since >= m_context.requestDeadline) close();
        return;
    case Phase::Lingering:
        if (now - m_since >= base::kLingerTime) close();
        return;
    case Phase::Open:
        break;
    }
    if (!m_writing.empty() && now - m_writingSince >= base::kWriteDeadline) return close();
    if (m_hasBegun && now - m_begunAt >= m_context.requestDeadline) {
        refuse({408, "request_timeout", "the request took too long to arrive"});
        return proceed();
    }
    if (const auto since = idleSince(); since && now - *since >= m_context.idleTimeout) close();
}

void Session::finishSoon()
{
    if (m_phase == Phase::Handshaking) return close();
    if (m_phase != Phase::Open) return;
    m_takesNoMore = true;
    m_hasBegun = false;
    m_owesContinue = false;
    m_begin = m_end = 0;
    proceed();
}

void Session::linger()
{
    m_phase = Phase::Lingering;
    m_since = Clock::now();
    endSending();
    if (m_buffer.empty()) m_buffer.resize(kBufferSize);
    if (m_phase == Phase::Lingering && !std::exchange(m_isReading, true)) startRead(m_buffer);
}

void Session::close()
{
    if (m_phase == Phase::Closed) return;
    m_phase = Phase::Closed;
    closeTransport();
}

} // namespace http
