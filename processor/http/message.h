// Requests and responses as plain values.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace http {

struct Header
{
    std::string name;
    std::string value;
};

struct Request
{
    std::string method; // as sent, normally upper case
    std::string target; // as sent
    std::vector<Header> headers; // in their order; a name may occur twice
    std::string body; // raw octets, chunks joined
    std::string remote; // numeric address without port
    std::string traceId;
    std::chrono::steady_clock::time_point receivedAt{}; // when it was complete

    /// The first header of that name, whatever its case.
    [[nodiscard]] std::optional<std::string_view> header(std::string_view name) const;
    /// The target without query, and without scheme and host where a proxy sent them.
    [[nodiscard]] std::string_view path() const;
};

struct Response
{
    int status = 200;
    std::string body = {};
    std::string contentType = "application/json";
    std::vector<Header> headers = {};
};

/// The standard's words for a status code.
[[nodiscard]] std::string_view reasonPhrase(int status);

[[nodiscard]] bool equalIgnoringCase(std::string_view one, std::string_view other);

} // namespace http
