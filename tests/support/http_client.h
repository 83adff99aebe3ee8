// A small blocking HTTP/1.1 client on a raw socket, also for requests no decent client would send.
#pragma once

#include "processor/base/result.h"

#include <chrono>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace support {

struct HttpResponse
{
    int status = 0;
    std::map<std::string, std::string> headers; // names in lower case
    std::string body;

    /// The header's value, or empty.
    [[nodiscard]] std::string header(const std::string& lowerName) const;
};

using HttpHeaders = std::vector<std::pair<std::string, std::string>>;

/// One connection. request() opens it when needed and keeps it; the raw calls let a test send any
/// bytes at any pace. Not shared between threads.
class HttpClient
{
public:
    /// `address` is HOST:PORT, as in the ready line.
    explicit HttpClient(
        std::string address, std::chrono::milliseconds limit = std::chrono::seconds{10});
    HttpClient(HttpClient&& other) noexcept;
    HttpClient& operator=(const HttpClient&) = delete;
    ~HttpClient();

    /// One exchange. Host and Content-Length are added. A kept connection that the server has
    /// closed in the meantime is opened anew, once.
    base::Result<HttpResponse> request(std::string_view method, std::string_view target,
        const HttpHeaders& headers = {}, std::string_view body = {});
    base::Result<HttpResponse> get(std::string_view target, const HttpHeaders& headers = {});
    base::Result<HttpResponse> post(
        std::string_view target, const HttpHeaders& headers, std::string_view body);

    base::Status open();
    base::Status sendRaw(std::string_view bytes);
    /// The next response on this connection, read to its end by Content-Length, chunks or close.
    /// Interim 1xx responses are responses too.
    base::Result<HttpResponse> readResponse();
    /// True when the server closes (or resets) the connection before the deadline; what it sends
    /// until then is dropped.
    [[nodiscard]] bool isClosedWithin(std::chrono::milliseconds limit);
    [[nodiscard]] bool isOpen() const { return m_socket >= 0; }
    void close();

private:
    using Deadline = std::chrono::steady_clock::time_point;
    [[nodiscard]] Deadline deadline() const { return std::chrono::steady_clock::now() + m_limit; }
    base::Result<HttpResponse> exchange(std::string_view text);
    base::Status receive(Deadline until); // appends to m_received; NotFound at the end of stream
    base::Result<std::string> readLine(Deadline until);
    base::Result<std::string> readExactly(std::size_t count, Deadline until);
    base::Result<std::string> readChunked(Deadline until);
    base::Result<std::string> readBody(const HttpResponse& head, Deadline until);

    std::string m_address;
    std::chrono::milliseconds m_limit;
    int m_socket = -1;
    std::string m_received;
};

} // namespace support
