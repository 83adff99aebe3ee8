#include "processor/base/json_writer.h"

#include "processor/base/check.h"
#include "processor/base/utf8.h"

#include <cstddef>
#include <utility>

namespace base {

namespace {

bool continuesCharacter(char byte)
{
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

void appendEscape(std::string& out, unsigned char code)
{
    switch (code) {
    case '"':
        out += "\\\"";
        return;
    case '\\':
        out += "\\\\";
        return;
    case '\n':
        out += "\\n";
        return;
    case '\r':
        out += "\\r";
        return;
    case '\t':
        out += "\\t";
        return;
    }
    constexpr char kDigits[] = "0123456789abcdef";
    out += "\\u00";
    out.push_back(kDigits[code >> 4U]);
    out.push_back(kDigits[code & 0xFU]);
}

bool needsEscape(unsigned char byte)
{
    return byte < 0x20 || byte == '"' || byte == '\\' || byte == 0x7F;
}

// RFC 8259, section 6: -? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?
bool isJsonNumber(std::string_view text)
{
    const auto skipDigits = [&] {
        const std::size_t before = text.size();
        while (!text.empty() && text.front() >= '0' && text.front() <= '9') {
            text.remove_prefix(1);
        }
        return before - text.size();
    };
    const auto skip = [&](std::string_view any) {
        const bool hit = !text.empty() && any.find(text.front()) != std::string_view::npos;
        text.remove_prefix(hit ? 1 : 0);
        return hit;
    };
    skip("-");
    const bool leadingZero = text.starts_with('0');
    const std::size_t whole = skipDigits();
    if (whole == 0 || (leadingZero && whole > 1) || (skip(".") && skipDigits() == 0)) {
        return false;
    }
    if (skip("eE")) {
        skip("+-");
        if (skipDigits() == 0) {
            return false;
        }
    }
    return text.empty();
}

} // namespace

void appendJsonString(std::string& out, std::string_view text)
{
    out.push_back('"');
    while (!text.empty()) {
        const std::size_t length = utf8Length(text);
        const auto lead = static_cast<unsigned char>(text.front());
        if (length == 0) {
            out += "\xEF\xBF\xBD"; // U+FFFD
            text.remove_prefix(1);
            while (!text.empty() && continuesCharacter(text.front())) {
                text.remove_prefix(1); // one mark for the remains of one broken sequence
            }
            continue;
        }
        if (length == 1 && needsEscape(lead)) {
            appendEscape(out, lead);
        } else if (length == 2 && lead == 0xC2 && static_cast<unsigned char>(text[1]) < 0xA0) {
            appendEscape(out, static_cast<unsigned char>(text[1])); // C1: terminals obey them
        } else {
            out += text.substr(0, length);
        }
        text.remove_prefix(length);
    }
    out.push_back('"');
}

void JsonWriter::beforeValue()
{
    if (m_levels.empty()) {
        CHECK(!m_done); // a document is one value
        m_done = true;
        return;
    }
    Level& level = m_levels.back();
    CHECK(level.isObject == m_afterKey);
    if (!level.isObject && !level.isFirst) {
        m_text.push_back(',');
    }
    level.isFirst = false;
    m_afterKey = false;
}

JsonWriter& JsonWriter::open(char bracket, bool isObject)
{
    beforeValue();
    m_text.push_back(bracket);
    m_levels.push_back({.isObject = isObject, .isFirst = true});
    return *this;
}

JsonWriter& JsonWriter::close(char bracket, bool isObject)
{
    CHECK(!m_levels.empty() && m_levels.back().isObject == isObject && !m_afterKey);
    m_levels.pop_back();
    m_text.push_back(bracket);
    return *this;
}

JsonWriter& JsonWriter::beginObject()
{
    return open('{', true);
}

JsonWriter& JsonWriter::endObject()
{
    return close('}', true);
}

JsonWriter& JsonWriter::beginArray()
{
    return open('[', false);
}

JsonWriter& JsonWriter::endArray()
{
    return close(']', false);
}

JsonWriter& JsonWriter::key(std::string_view name)
{
    CHECK(!m_levels.empty() && m_levels.back().isObject && !m_afterKey);
    if (!m_levels.back().isFirst) {
        m_text.push_back(',');
    }
    m_levels.back().isFirst = false;
    appendJsonString(m_text, name);
    m_text.push_back(':');
    m_afterKey = true;
    return *this;
}

JsonWriter& JsonWriter::text(std::string_view value)
{
    beforeValue();
    appendJsonString(m_text, value);
    return *this;
}

JsonWriter& JsonWriter::integer(std::int64_t value)
{
    return raw(std::to_string(value));
}

JsonWriter& JsonWriter::integer(std::uint64_t value)
{
    return raw(std::to_string(value));
}

JsonWriter& JsonWriter::boolean(bool value)
{
    return raw(value ? "true" : "false");
}

JsonWriter& JsonWriter::null()
{
    return raw("null");
}

JsonWriter& JsonWriter::number(std::string_view written)
{
    CHECK(isJsonNumber(written));
    return raw(written);
}

JsonWriter& JsonWriter::raw(std::string_view document)
{
    beforeValue();
    m_text += document;
    return *this;
}

JsonWriter& JsonWriter::field(std::string_view name, std::string_view value)
{
    return key(name).text(value);
}

std::string JsonWriter::take()
{
    CHECK(m_levels.empty() && m_done);
    m_done = false;
    return std::exchange(m_text, {});
}

} // namespace base
