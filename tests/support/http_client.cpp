#include "tests/support/http_client.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace support {
namespace {

base::Error unavailable(const std::string& what)
{
    return base::Error{base::ErrorKind::Unavailable, what};
}

int millisecondsUntil(std::chrono::steady_clock::time_point until)
{
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        until - std::chrono::steady_clock::now());
    return static_cast<int>(std::max<std::int64_t>(left.count(), 0));
}

bool waitFor(int socket, short events, std::chrono::steady_clock::time_point until)
{
    pollfd waited{socket, events, 0};
    return poll(&waited, 1, millisecondsUntil(until)) > 0;
}

std::string lower(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(),
        [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; });
    return text;
}

std::string trimmed(const std::string& text)
{
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool parseNumber(const std::string& text, std::size_t& number, int radix)
{
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number, radix);
    return parsed.ec == std::errc{} && parsed.ptr == text.data() + text.size();
}

bool hasNoBody(int status)
{
    return status < 200 || status == 204 || status == 304;
}

} // namespace

std::string HttpResponse::header(const std::string& lowerName) const
{
    const auto found = headers.find(lowerName);
    return found == headers.end() ? std::string{} : found->second;
}

HttpClient::HttpClient(std::string address, std::chrono::milliseconds limit)
    : m_address{std::move(address)}
    , m_limit{limit}
{}

HttpClient::HttpClient(HttpClient&& other) noexcept
    : m_address{std::move(other.m_address)}
    , m_limit{other.m_limit}
    , m_socket{std::exchange(other.m_socket, -1)}
    , m_received{std::move(other.m_received)}
{}

HttpClient::~HttpClient()
{
    close();
}

base::Result<HttpResponse> HttpClient::request(std::string_view method, std::string_view target,
    const HttpHeaders& headers, std::string_view body)
{
    std::string text{method};
    text.append(" ").append(target).append(" HTTP/1.1\r\nHost: ").append(m_address).append("\r\n");
    for (const auto& [name, value] : headers) {
        text.append(name).append(": ").append(value).append("\r\n");
    }
    if (method == "POST" || !body.empty()) {
        text.append("Content-Length: ").append(std::to_string(body.size())).append("\r\n");
    }
    text.append("\r\n").append(body);

    const bool kept = isOpen();
    auto response = exchange(text);
    const bool wasStale = kept && !response && !isOpen() && m_received.empty();
    return wasStale ? exchange(text) : response;
}

base::Result<HttpResponse> HttpClient::exchange(std::string_view text)
{
    if (!isOpen()) {
        if (const auto opened = open(); !opened) return opened.error();
    }
    if (const auto sent = sendRaw(text); !sent) return sent.error();
    auto response = readResponse();
    if (response && response->header("connection") == "close") close();
    return response;
}

base::Result<HttpResponse> HttpClient::get(std::string_view target, const HttpHeaders& headers)
{
    return request("GET", target, headers);
}

base::Result<HttpResponse> HttpClient::post(
    std::string_view target, const HttpHeaders& headers, std::string_view body)
{
    return request("POST", target, headers, body);
}

base::Status HttpClient::open()
{
    close();
    m_received.clear();
    const auto colon = m_address.rfind(':');
    CHECK(colon != std::string::npos);
    auto host = m_address.substr(0, colon);
    if (host.size() > 2 && host.front() == '[') host = host.substr(1, host.size() - 2);
    const auto port = m_address.substr(colon + 1);

    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_NUMERICSERV;
    addrinfo* found = nullptr;
    if (getaddrinfo(host.c_str(), port.c_str(), &hints, &found) != 0) {
        return unavailable("no such address: " + m_address);
    }
    m_socket = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int failed = m_socket < 0 ? -1 : connect(m_socket, found->ai_addr, found->ai_addrlen);
    const int reason = errno;
    freeaddrinfo(found);
    if (failed != 0) {
        close();
        return unavailable("connect " + m_address + ": " + strerror(reason));
    }
    const int on = 1;
    setsockopt(m_socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return base::Done{};
}

base::Status HttpClient::sendRaw(std::string_view bytes)
{
    const auto until = deadline();
    while (!bytes.empty()) {
        if (!isOpen()) return unavailable("not connected");
        if (!waitFor(m_socket, POLLOUT, until)) return unavailable("send: deadline passed");
        const auto sent = send(m_socket, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno != EINTR && errno != EAGAIN) {
            const auto error = unavailable(std::string{"send: "} + strerror(errno));
            close();
            return error;
        }
        if (sent > 0) bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return base::Done{};
}

base::Result<HttpResponse> HttpClient::readResponse()
{
    const auto until = deadline();
    const auto statusLine = readLine(until);
    if (!statusLine) return statusLine.error();
    HttpResponse response;
    const auto& line = *statusLine;
    if (!line.starts_with("HTTP/1.") || line.size() < 12) {
        return base::Error{base::ErrorKind::Invalid, "not a status line: " + line};
    }
    std::from_chars(line.data() + 9, line.data() + 12, response.status);

    for (;;) {
        const auto field = readLine(until);
        if (!field) return field.error();
        if (field->empty()) break;
        const auto colon = field->find(':');
        if (colon == std::string::npos) {
            return base::Error{base::ErrorKind::Invalid, "not a header: " + *field};
        }
        response.headers[lower(field->substr(0, colon))] = trimmed(field->substr(colon + 1));
    }
    auto body = readBody(response, until);
    if (!body) return body.error();
    response.body = std::move(*body);
    return response;
}

base::Result<std::string> HttpClient::readBody(const HttpResponse& head, Deadline until)
{
    if (hasNoBody(head.status)) return std::string{};
    if (lower(head.header("transfer-encoding")) == "chunked") return readChunked(until);
    std::size_t length = 0;
    if (parseNumber(head.header("content-length"), length, 10)) return readExactly(length, until);

    for (;;) { // neither: the body ends with the connection
        const auto more = receive(until);
        if (more) continue;
        if (more.error().kind != base::ErrorKind::NotFound) return more.error();
        return std::exchange(m_received, {});
    }
}

base::Result<std::string> HttpClient::readChunked(Deadline until)
{
    std::string body;
    for (;;) {
        const auto sizeLine = readLine(until);
        if (!sizeLine) return sizeLine.error();
        std::size_t size = 0;
        if (!parseNumber(sizeLine->substr(0, sizeLine->find(';')), size, 16)) {
            return base::Error{base::ErrorKind::Invalid, "not a chunk size: " + *sizeLine};
        }
        const auto chunk = readExactly(size, until);
        if (!chunk) return chunk.error();
        body += *chunk;
        const auto lineEnd = readLine(until);
        if (!lineEnd) return lineEnd.error();
        if (size == 0) return body;
    }
}

base::Result<std::string> HttpClient::readLine(Deadline until)
{
    for (;;) {
        if (const auto end = m_received.find("\r\n"); end != std::string::npos) {
            auto line = m_received.substr(0, end);
            m_received.erase(0, end + 2);
            return line;
        }
        if (const auto more = receive(until); !more) return more.error();
    }
}

base::Result<std::string> HttpClient::readExactly(std::size_t count, Deadline until)
{
    while (m_received.size() < count) {
        if (const auto more = receive(until); !more) return more.error();
    }
    auto bytes = m_received.substr(0, count);
    m_received.erase(0, count);
    return bytes;
}

base::Status HttpClient::receive(Deadline until)
{
    if (!isOpen()) return base::Error{base::ErrorKind::NotFound, "connection is closed"};
    std::array<char, 16384> block{};
    for (;;) {
        if (!waitFor(m_socket, POLLIN, until)) return unavailable("no answer in time");
        const auto got = recv(m_socket, block.data(), block.size(), MSG_DONTWAIT);
        if (got > 0) {
            m_received.append(block.data(), static_cast<std::size_t>(got));
            return base::Done{};
        }
        if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        const std::string why = got == 0 ? "closed by the server" : strerror(errno);
        close();
        return base::Error{base::ErrorKind::NotFound, why};
    }
}

bool HttpClient::isClosedWithin(std::chrono::milliseconds limit)
{
    const auto until = std::chrono::steady_clock::now() + limit;
    for (;;) {
        const auto more = receive(until);
        if (!more) return more.error().kind == base::ErrorKind::NotFound;
    }
}

void HttpClient::close()
{
    if (m_socket >= 0) ::close(std::exchange(m_socket, -1));
}

} // namespace support
