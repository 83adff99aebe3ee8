#include "processor/config/checks.h"

#include "processor/base/url.h"
#include "processor/config/roles.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <unistd.h>

namespace config {

namespace {

constexpr std::size_t kWebhookSecretMin = 32; // characters

using Complaint = std::optional<std::string>;

/// HOST and PORT of "HOST:PORT" or "[IPv6]:PORT".
struct HostAndPort
{
    std::string_view host;
    std::string_view port;
};

std::optional<HostAndPort> splitAddress(std::string_view text)
{
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos || colon == 0) {
        return std::nullopt;
    }
    HostAndPort parts{.host = text.substr(0, colon), .port = text.substr(colon + 1)};
    if (parts.host.front() == '[') {
        if (parts.host.back() != ']') {
            return std::nullopt;
        }
        parts.host = parts.host.substr(1, parts.host.size() - 2);
    } else if (parts.host.find(':') != std::string_view::npos) {
        return std::nullopt; // an IPv6 address without brackets
    }
    return parts.host.empty() ? std::nullopt : std::optional{parts};
}

Complaint checkAddress(std::string_view text)
{
    const auto parts = splitAddress(text);
    const auto port = parts ? parseInteger(parts->port) : std::nullopt;
    if (!port || *port < 0 || *port > 65'535) {
        return "'" + std::string{text}
        + "' is not HOST:PORT (or [IPv6]:PORT) with a port of 0..65535";
    }
    return std::nullopt;
}

Complaint checkInteger(const Option& option, std::string_view text)
{
    const auto number = parseInteger(text);
    if (!number || *number < option.least || *number > option.most) {
        return "'" + std::string{text} + "' is not a number of " + std::to_string(option.least)
            + ".." + std::to_string(option.most)
            + (option.unit.empty() ? "" : " (" + std::string{option.unit} + ")");
    }
    return std::nullopt;
}

Complaint checkChoice(const Option& option, std::string_view text)
{
    for (std::string_view rest = option.choices; !rest.empty();) {
        const std::size_t bar = std::min(rest.find('|'), rest.size());
        if (rest.substr(0, bar) == text) {
            return std::nullopt;
        }
        rest.remove_prefix(std::min(bar + 1, rest.size()));
    }
    return "'" + std::string{text} + "' is none of " + std::string{option.choices};
}

Complaint checkRoles(std::string_view text)
{
    const auto roles = RoleSet::parse(text);
    return roles ? std::nullopt : Complaint{roles.error().message};
}

// Also key=value strings are taken, as libpq takes them; what is in them the server will judge.
Complaint checkDatabaseUrl(std::string_view text)
{
    const bool isUrl = text.starts_with("postgresql://") || text.starts_with("postgres://");
    if (isUrl || (text.find("://") == std::string_view::npos && text.find('=') != text.npos)) {
        return std::nullopt;
    }
    return "is not a PostgreSQL URL (postgresql://user@host/database)";
}

Complaint checkUrl(std::string_view text, std::span<const std::string_view> schemes)
{
    const auto url = base::parseUrl(text);
    if (!url) {
        return url.error().message;
    }
    if (std::ranges::find(schemes, url->scheme) == schemes.end()) {
        std::string allowed;
        for (const std::string_view scheme : schemes) {
            allowed += (allowed.empty() ? "" : ", ") + std::string{scheme} + "://";
        }
        return "has to start with one of " + allowed;
    }
    return std::nullopt;
}

Complaint checkWebhookSecret(std::string_view text)
{
    const auto isCharacterStart
        = [](char octet) { return (static_cast<unsigned char>(octet) & 0xC0U) != 0x80U; };
    const auto characters = std::ranges::count_if(text, isCharacterStart);
    if (static_cast<std::size_t>(characters) < kWebhookSecretMin) {
        return "has " + std::to_string(characters) + " characters, at least 32 are needed";
    }
    return std::nullopt;
}

Complaint checkToken(std::string_view text)
{
    const bool isVisible = std::ranges::all_of(text, [](char c) { return c > ' ' && c <= '~'; });
    return isVisible ? std::nullopt
                     : Complaint{"may hold visible ASCII characters only, it travels in a header"};
}

Complaint checkFile(std::string_view text)
{
    return access(std::string{text}.c_str(), R_OK) == 0
        ? std::nullopt
        : Complaint{"file '" + std::string{text} + "' cannot be read"};
}

Complaint checkEmail(std::string_view text)
{
    const std::size_t at = text.find('@');
    const bool isPlausible = at != 0 && at != std::string_view::npos && at + 1 < text.size()
        && text.find_first_of(" \t\r\n,;<>") == std::string_view::npos;
    return isPlausible ? std::nullopt
                       : Complaint{"'" + std::string{text} + "' is not an e-mail address"};
}

Complaint checkTimezone(std::string_view text)
{
    const bool isPlausible = text.size() <= 64 && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
            || c == '/' || c == '_' || c == '-' || c == '+';
    });
    return isPlausible ? std::nullopt
                       : Complaint{"'" + std::string{text} + "' is not the name of a time zone"};
}

} // namespace

std::optional<std::int64_t> parseInteger(std::string_view text)
{
    std::int64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, problem] = std::from_chars(text.data(), end, number);
    return problem == std::errc{} && stop == end ? std::optional{number} : std::nullopt;
}

std::optional<std::chrono::minutes> parseTimeOfDay(std::string_view text)
{
    constexpr std::size_t kSize = std::string_view{"HH:MM"}.size();
    if (text.size() != kSize || text[2] != ':') {
        return std::nullopt;
    }
    const auto hour = parseInteger(text.substr(0, 2));
    const auto minute = parseInteger(text.substr(3));
    if (!hour || !minute || *hour < 0 || *hour > 23 || *minute < 0 || *minute > 59) {
        return std::nullopt;
    }
    return std::chrono::hours{*hour} + std::chrono::minutes{*minute};
}

Complaint complaintAbout(const Option& option, std::string_view text)
{
    static constexpr std::array<std::string_view, 3> kRedisSchemes{"redis", "rediss", "unix"};
    static constexpr std::array<std::string_view, 2> kHttpSchemes{"http", "https"};
    if (text.find('\0') != std::string_view::npos) {
        return "holds a NUL";
    }
    switch (option.type) {
    case OptionType::Integer:
        return checkInteger(option, text);
    case OptionType::Choice:
        return checkChoice(option, text);
    case OptionType::Roles:
        return checkRoles(text);
    case OptionType::Address:
        return checkAddress(text);
    case OptionType::DatabaseUrl:
        return checkDatabaseUrl(text);
    case OptionType::RedisUrl:
        return checkUrl(text, kRedisSchemes);
    case OptionType::HttpUrl:
        return checkUrl(text, kHttpSchemes);
    case OptionType::WebhookSecret:
        return checkWebhookSecret(text);
    case OptionType::Token:
        return checkToken(text);
    case OptionType::File:
        return checkFile(text);
    case OptionType::Folder:
        return std::nullopt; // made on first use; whether it can be, is seen then
    case OptionType::Email:
        return checkEmail(text);
    case OptionType::TimeOfDay:
        return parseTimeOfDay(text)
            ? std::nullopt
            : Complaint{"'" + std::string{text} + "' is not a time of the day (HH:MM)"};
    case OptionType::Timezone:
        return checkTimezone(text);
    }
    return std::nullopt;
}

bool isLoopback(std::string_view address)
{
    const auto parts = splitAddress(address);
    if (!parts) {
        return false;
    }
    const std::string_view host = parts->host;
    const bool isIpv4 = std::ranges::count(host, '.') == 3
        && host.find_first_not_of("0123456789.") == std::string_view::npos;
    return host == "localhost" || host == "::1" || (isIpv4 && host.starts_with("127."));
}

} // namespace config
