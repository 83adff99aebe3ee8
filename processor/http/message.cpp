#include "processor/http/message.h"

#include <algorithm>
#include <array>
#include <utility>

namespace http {
namespace {

constexpr char lower(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

constexpr std::array kReasons{
    std::pair{100, std::string_view{"Continue"}},
    std::pair{200, std::string_view{"OK"}},
    std::pair{400, std::string_view{"Bad Request"}},
    std::pair{401, std::string_view{"Unauthorized"}},
    std::pair{403, std::string_view{"Forbidden"}},
    std::pair{404, std::string_view{"Not Found"}},
    std::pair{405, std::string_view{"Method Not Allowed"}},
    std::pair{408, std::string_view{"Request Timeout"}},
    std::pair{409, std::string_view{"Conflict"}},
    std::pair{413, std::string_view{"Content Too Large"}},
    std::pair{417, std::string_view{"Expectation Failed"}},
    std::pair{429, std::string_view{"Too Many Requests"}},
    std::pair{431, std::string_view{"Request Header Fields Too Large"}},
    std::pair{500, std::string_view{"Internal Server Error"}},
    std::pair{503, std::string_view{"Service Unavailable"}},
    std::pair{505, std::string_view{"HTTP Version Not Supported"}},
};

} // namespace

bool equalIgnoringCase(std::string_view one, std::string_view other)
{
    return std::ranges::equal(one, other, {}, lower, lower);
}

std::optional<std::string_view> Request::header(std::string_view name) const
{
    for (const Header& header : headers) {
        if (equalIgnoringCase(header.name, name)) return header.value;
    }
    return std::nullopt;
}

std::string_view Request::path() const
{
    std::string_view rest = target;
    if (const auto scheme = rest.find("://");
        !rest.starts_with('/') && scheme != std::string_view::npos) {
        const auto slash = rest.find('/', scheme + 3);
        rest = slash == std::string_view::npos ? std::string_view{"/"} : rest.substr(slash);
    }
    return rest.substr(0, rest.find('?'));
}

std::string_view reasonPhrase(int status)
{
    for (const auto& [code, phrase] : kReasons) {
        if (code == status) return phrase;
    }
    return "Status";
}

} // namespace http
