#include "processor/store/flat_object.h"

#include <cstdint>
#include <utility>

namespace store {
namespace {

constexpr std::uint32_t kHighSurrogates = 0xD800;
constexpr std::uint32_t kLowSurrogates = 0xDC00;
constexpr std::uint32_t kSurrogatesEnd = 0xE000;

void appendUtf8(std::string& out, std::uint32_t code)
{
    const auto octet = [&out](std::uint32_t bits) { out += static_cast<char>(bits); };
    if (code < 0x80) {
        octet(code);
    } else if (code < 0x800) {
        octet(0xC0 | (code >> 6));
        octet(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        octet(0xE0 | (code >> 12));
        octet(0x80 | ((code >> 6) & 0x3F));
        octet(0x80 | (code & 0x3F));
    } else {
        octet(0xF0 | (code >> 18));
        octet(0x80 | ((code >> 12) & 0x3F));
        octet(0x80 | ((code >> 6) & 0x3F));
        octet(0x80 | (code & 0x3F));
    }
}

/// Every read…() moves on past what it has read; false and empty: the text is none of ours.
class Reader
{
public:
    explicit Reader(std::string_view text) : m_rest{text} {}

    std::optional<FlatObject> readObject();

private:
    void skipBlanks()
    {
        while (!m_rest.empty() && std::string_view{" \t\r\n"}.find(m_rest.front()) != m_rest.npos) {
            m_rest.remove_prefix(1);
        }
    }
    bool take(std::string_view token)
    {
        skipBlanks();
        if (!m_rest.starts_with(token)) return false;
        m_rest.remove_prefix(token.size());
        return true;
    }
    bool readMember(FlatObject& object);
    std::optional<std::string> readText();
    bool readEscape(std::string& out);
    std::optional<std::uint32_t> readFourDigits();

    std::string_view m_rest;
};

std::optional<std::uint32_t> Reader::readFourDigits()
{
    constexpr std::string_view kDigits = "0123456789abcdef0123456789ABCDEF";
    if (m_rest.size() < 4) return std::nullopt;
    std::uint32_t code = 0;
    for (const char digit : m_rest.substr(0, 4)) {
        const std::size_t value = kDigits.find(digit);
        if (value == std::string_view::npos) return std::nullopt;
        code = code * 16 + static_cast<std::uint32_t>(value % 16);
    }
    m_rest.remove_prefix(4);
    return code;
}

bool Reader::readEscape(std::string& out)
{
    constexpr std::string_view kLetters = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    if (m_rest.empty()) return false;
    const char letter = m_rest.front();
    m_rest.remove_prefix(1);
    if (const std::size_t found = kLetters.find(letter); found != std::string_view::npos) {
        out += kMeanings[found];
        return true;
    }
    if (letter != 'u') return false;
    auto code = readFourDigits();
    if (!code || (*code >= kLowSurrogates && *code < kSurrogatesEnd)) return false;
    if (*code >= kHighSurrogates && *code < kLowSurrogates) {
        if (!m_rest.starts_with("\\u")) return false;
        m_rest.remove_prefix(2);
        const auto low = readFourDigits();
        if (!low || *low < kLowSurrogates || *low >= kSurrogatesEnd) return false;
        code = 0x10000 + ((*code - kHighSurrogates) << 10) + (*low - kLowSurrogates);
    }
    appendUtf8(out, *code);
    return true;
}

std::optional<std::string> Reader::readText()
{
    if (!take("\"")) return std::nullopt;
    std::string out;
    while (!m_rest.empty()) {
        const char next = m_rest.front();
        m_rest.remove_prefix(1);
        if (next == '"') return out;
        if (static_cast<unsigned char>(next) < 0x20) return std::nullopt;
        if (next != '\\') {
            out += next;
        } else if (!readEscape(out)) {
            return std::nullopt;
        }
    }
    return std::nullopt;
}

bool Reader::readMember(FlatObject& object)
{
    auto name = readText();
    if (!name || !take(":")) return false;
    std::optional<std::string> value;
    if (!take("null")) {
        value = readText();
        if (!value) return false;
    }
    return object.emplace(std::move(*name), std::move(value)).second;
}

std::optional<FlatObject> Reader::readObject()
{
    FlatObject object;
    if (!take("{")) return std::nullopt;
    if (!take("}")) {
        do {
            if (!readMember(object)) return std::nullopt;
        } while (take(","));
        if (!take("}")) return std::nullopt;
    }
    skipBlanks();
    return m_rest.empty() ? std::optional{std::move(object)} : std::nullopt;
}

} // namespace

std::optional<FlatObject> readFlatObject(std::string_view text)
{
    return Reader{text}.readObject();
}

} // namespace store
