#include "processor/redis/endpoint.h"

#include "processor/base/url.h"

#include <charconv>

namespace redis {

namespace {

constexpr std::uint16_t kDefaultPort = 6379;
constexpr std::size_t kSocketPathMax = 107; // sun_path, without its NUL

base::Error badEndpoint(const std::string& why)
{
    return {base::ErrorKind::Invalid, "Redis URL: " + why};
}

base::Result<int> parseDatabase(std::string_view text)
{
    int database = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), database);
    if (problem != std::errc{} || end != text.data() + text.size() || database < 0) {
        return badEndpoint("the database is not a number");
    }
    return database;
}

} // namespace

base::Result<Endpoint> parseEndpoint(std::string_view text)
{
    const auto url = base::parseUrl(text);
    if (!url) {
        return badEndpoint(url.error().message);
    }
    const bool isSocket = url->scheme == "unix";
    const bool isTls = url->scheme == "rediss";
    if (!isSocket && !isTls && url->scheme != "redis") {
        return badEndpoint("the scheme must be redis, rediss or unix");
    }
    std::string_view database;
    for (const auto& [name, value] : url->query) {
        if (name != "db") {
            return badEndpoint("unknown parameter '" + name + "', only db is known");
        }
        database = value;
    }

    Endpoint endpoint{.host = {},
        .port = url->port.value_or(kDefaultPort),
        .socketPath = {},
        .user = url->user,
        .password = url->password,
        .database = 0,
        .isTls = isTls};
    if (!endpoint.user.empty() && endpoint.password.empty()) {
        return badEndpoint("a user without a password");
    }
    if (isSocket) {
        endpoint.socketPath = url->host + url->path; // unix://relative/path has its start as "host"
        if (endpoint.socketPath.empty() || url->port) {
            return badEndpoint("unix:// is followed by the path of a socket");
        }
        if (endpoint.socketPath.size() > kSocketPathMax) {
            return badEndpoint("the path of the socket is longer than 107 characters");
        }
    } else {
        endpoint.host = url->host.empty() ? "localhost" : url->host;
        if (url->path.size() > 1) {
            if (!database.empty()) {
                return badEndpoint("the database is given twice");
            }
            database = std::string_view{url->path}.substr(1);
        }
    }
    if (!database.empty()) {
        const auto number = parseDatabase(database);
        if (!number) {
            return number.error();
        }
        endpoint.database = *number;
    }
    return endpoint;
}

std::string nameOf(const Endpoint& endpoint)
{
    if (!endpoint.socketPath.empty()) {
        return endpoint.socketPath;
    }
    const bool isIpv6 = endpoint.host.find(':') != std::string::npos;
    return (isIpv6 ? "[" + endpoint.host + "]" : endpoint.host) + ":"
        + std::to_string(endpoint.port);
}

} // namespace redis
