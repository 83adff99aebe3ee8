#include "processor/base/utf8.h"

namespace base {

namespace {

bool isContinuation(char byte)
{
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

} // namespace

std::size_t utf8Length(std::string_view text)
{
    const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = at(0);
    if (lead < 0x80) {
        return 1;
    }
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || text.size() < length) {
        return 0;
    }
    const unsigned char second = at(1);
    const unsigned char least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const unsigned char most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (second < least || second > most) {
        return 0;
    }
    for (std::size_t i = 2; i < length; ++i) {
        if (!isContinuation(text[i])) {
            return 0;
        }
    }
    return length;
}

std::string cleanText(std::string_view text, std::size_t most)
{
    std::string clean;
    while (!text.empty()) {
        const std::size_t length = utf8Length(text);
        const std::size_t taken = length == 0 ? 1 : length;
        if (clean.size() + taken > most) {
            break;
        }
        if (length == 0 || text.front() == '\0') {
            clean += '?';
        } else {
            clean += text.substr(0, length);
        }
        text.remove_prefix(taken);
    }
    return clean;
}

} // namespace base
