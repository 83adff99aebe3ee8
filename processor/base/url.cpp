#include "processor/base/url.h"

#include "processor/base/hex.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace base {

namespace {

constexpr std::string_view kSchemeEnd = "://";

std::optional<std::string> percentDecoded(std::string_view text)
{
    std::string decoded;
    while (!text.empty()) {
        if (text.front() != '%') {
            decoded.push_back(text.front());
            text.remove_prefix(1);
            continue;
        }
        const auto octet = text.size() < 3 ? std::nullopt : fromHex(text.substr(1, 2));
        if (!octet || octet->front() == std::byte{0}) {
            return std::nullopt; // a NUL would cut the text short for every C library
        }
        decoded.push_back(static_cast<char>(octet->front()));
        text.remove_prefix(3);
    }
    return decoded;
}

/// Cuts `text` at the first of `marks`: returns what stands before it, leaves it and the rest.
std::string_view takeUntil(std::string_view& text, std::string_view marks)
{
    const std::size_t end = std::min(text.find_first_of(marks), text.size());
    const std::string_view head = text.substr(0, end);
    text.remove_prefix(end);
    return head;
}

Error badUrl(const char* why)
{
    return Error{ErrorKind::Invalid, std::string{"not a valid URL: "} + why};
}

Status parseCredentials(std::string_view credentials, Url& url)
{
    const std::string_view user = takeUntil(credentials, ":");
    const auto decodedUser = percentDecoded(user);
    const auto password = percentDecoded(credentials.empty() ? "" : credentials.substr(1));
    if (!decodedUser || !password) {
        return badUrl("a % in user or password that is not followed by two hexadecimal digits");
    }
    url.user = *decodedUser;
    url.password = Secret{*password};
    return Done{};
}

Status parseHostAndPort(std::string_view text, Url& url)
{
    if (text.starts_with('[')) {
        const std::string_view address = takeUntil(text, "]");
        if (text.empty()) {
            return badUrl("'[' without ']'");
        }
        url.host = address.substr(1);
        text.remove_prefix(1);
    } else {
        const auto host = percentDecoded(takeUntil(text, ":"));
        if (!host) {
            return badUrl("a % in the host that is not followed by two hexadecimal digits");
        }
        url.host = *host;
    }
    if (text.empty()) {
        return Done{};
    }
    text.remove_prefix(1);
    std::uint16_t port = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), port);
    if (problem != std::errc{} || end != text.data() + text.size()) {
        return badUrl("the port is not a number from 0 to 65535");
    }
    url.port = port;
    return Done{};
}

Status parseQuery(std::string_view text, Url& url)
{
    while (!text.empty()) {
        text.remove_prefix(1); // '?' or '&'
        std::string_view pair = takeUntil(text, "&");
        const auto name = percentDecoded(takeUntil(pair, "="));
        const auto value = percentDecoded(pair.empty() ? "" : pair.substr(1));
        if (!name || !value || name->empty()) {
            return badUrl("the part after '?' is not name=value&…");
        }
        url.query[*name] = *value;
    }
    return Done{};
}

void hideBetween(std::string& text, std::size_t from, std::size_t to)
{
    if (to > from) {
        text.replace(from, to - from, Secret::masked());
    }
}

/// password=… as libpq and some Redis clients take it, in a query or between blanks, also quoted.
void hidePasswordAssignments(std::string& text)
{
    constexpr std::string_view kName = "password";
    for (std::size_t at = text.find(kName); at != std::string::npos; at = text.find(kName, at)) {
        at += kName.size();
        std::size_t value = text.find_first_not_of(' ', at);
        if (value == std::string::npos || text[value] != '=') {
            continue;
        }
        value = std::min(text.find_first_not_of(' ', value + 1), text.size());
        std::size_t end = std::min(text.find_first_of(" &", value), text.size());
        if (value < text.size() && text[value] == '\'') {
            end = value + 1;
            while (end < text.size() && text[end] != '\'') {
                end += text[end] == '\\' ? 2U : 1U;
            }
            end = std::min(end + 1, text.size());
        }
        hideBetween(text, value, end);
    }
}

} // namespace

Result<Url> parseUrl(std::string_view text)
{
    const std::size_t schemeEnd = text.find(kSchemeEnd);
    if (schemeEnd == 0 || schemeEnd == std::string_view::npos) {
        return badUrl("no scheme such as redis:// in front");
    }
    Url url;
    for (const char letter : text.substr(0, schemeEnd)) {
        url.scheme.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(letter))));
    }
    text.remove_prefix(schemeEnd + kSchemeEnd.size());

    std::string_view authority = takeUntil(text, "/?#");
    if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos) {
        if (const auto parsed = parseCredentials(authority.substr(0, at), url); !parsed) {
            return parsed.error();
        }
        authority.remove_prefix(at + 1);
    }
    if (const auto parsed = parseHostAndPort(authority, url); !parsed) {
        return parsed.error();
    }
    const auto path = percentDecoded(takeUntil(text, "?#"));
    if (!path) {
        return badUrl("a % in the path that is not followed by two hexadecimal digits");
    }
    url.path = *path;
    if (const auto parsed = parseQuery(takeUntil(text, "#"), url); !parsed) {
        return parsed.error();
    }
    return url;
}

std::string maskUrl(std::string_view text)
{
    std::string masked{text};
    const std::size_t schemeEnd = masked.find(kSchemeEnd);
    // The last '@', because a password that was not encoded may hold one itself.
    const std::size_t at = masked.rfind('@');
    if (schemeEnd != std::string::npos && at != std::string::npos && at > schemeEnd) {
        const std::size_t colon = masked.find(':', schemeEnd + kSchemeEnd.size());
        if (colon < at) {
            hideBetween(masked, colon + 1, at);
        }
    }
    hidePasswordAssignments(masked);
    return masked;
}

std::string maskUrlAndPath(std::string_view text)
{
    std::string masked = maskUrl(text);
    const std::size_t schemeEnd = masked.find(kSchemeEnd);
    if (schemeEnd == std::string::npos) {
        return Secret::masked();
    }
    const std::size_t path = masked.find_first_of("/?#", schemeEnd + kSchemeEnd.size());
    if (path != std::string::npos && path + 1 < masked.size()) {
        hideBetween(masked, path + 1, masked.size());
    }
    return masked;
}

} // namespace base
