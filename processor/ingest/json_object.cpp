#include "processor/ingest/json_object.h"

// Header-only, and in this file alone: the parser costs seconds to compile.
#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/src.hpp>

#include <algorithm>
#include <array>
#include <cstdint>

namespace ingest {

// Boost's handler: called with each token in turn; collects the outermost object's members and the
// names of every open object.
struct JsonCollector
{
    static constexpr std::size_t max_object_size = static_cast<std::size_t>(-1);
    static constexpr std::size_t max_array_size = static_cast<std::size_t>(-1);
    static constexpr std::size_t max_key_size = static_cast<std::size_t>(-1);
    static constexpr std::size_t max_string_size = static_cast<std::size_t>(-1);

    using Error = boost::json::error_code;
    using View = boost::json::string_view;

    JsonObject object;
    const char* refusal = nullptr;
    std::size_t depth = 0;
    std::string token;
    std::array<std::vector<std::string>, JsonObject::kDepthMax + 1> names;

    bool refuse(const char* why, Error& error)
    {
        refusal = why;
        error = boost::json::error::exception;
        return false;
    }

    // A value that has just begun or ended, seen from the member it belongs to.
    bool value(JsonValue::Kind kind, std::string text, Error& error)
    {
        if (depth == 0 && kind != JsonValue::Kind::Object) {
            return refuse("the body must be a JSON object", error);
        }
        if (depth == 1) {
            JsonValue& member = object.m_members.back().second;
            member.kind = kind;
            member.text = std::move(text);
        } else if (depth == 2 && object.m_members.back().second.kind == JsonValue::Kind::Array) {
            JsonValue& array = object.m_members.back().second;
            if (kind == JsonValue::Kind::Number) array.numbers.push_back(std::move(text));
            if (kind != JsonValue::Kind::Number) array.holdsOnlyNumbers = false;
        }
        return true;
    }

    bool on_document_begin(Error&) { return true; }
    bool on_document_end(Error&) { return true; }

    bool on_object_begin(Error& error)
    {
        if (!value(JsonValue::Kind::Object, {}, error)) return false;
        if (++depth > JsonObject::kDepthMax) return refuse("the JSON is nested too deeply", error);
        names[depth].clear();
        return true;
    }
    bool on_object_end(std::size_t, Error& error)
    {
        auto& seen = names[depth];
        std::ranges::sort(seen);
        if (std::ranges::adjacent_find(seen) != seen.end()) {
            return refuse("a name occurs twice in one JSON object", error);
        }
        --depth;
        return true;
    }
    bool on_array_begin(Error& error)
    {
        if (!value(JsonValue::Kind::Array, {}, error)) return false;
        if (++depth > JsonObject::kDepthMax) return refuse("the JSON is nested too deeply", error);
        return true;
    }
    bool on_array_end(std::size_t, Error&)
    {
        --depth;
        return true;
    }

    bool on_key_part(View part, std::size_t, Error&) { return keep(part); }
    bool on_key(View part, std::size_t, Error& error)
    {
        keep(part);
        if (token.find('\0') != std::string::npos) {
            return refuse("a name in the JSON contains NUL", error);
        }
        names[depth].push_back(token);
        if (depth == 1) object.m_members.emplace_back(token, JsonValue{});
        token.clear();
        return true;
    }
    bool on_string_part(View part, std::size_t, Error&) { return keep(part); }
    bool on_string(View part, std::size_t, Error& error)
    {
        keep(part);
        if (token.find('\0') != std::string::npos) {
            return refuse("a text in the JSON contains NUL", error);
        }
        return ended(JsonValue::Kind::Text, error);
    }
    bool on_number_part(View part, Error&) { return keep(part); }
    bool on_int64(std::int64_t, View part, Error& error) { return number(part, error); }
    bool on_uint64(std::uint64_t, View part, Error& error) { return number(part, error); }
    bool on_double(double, View part, Error& error) { return number(part, error); }
    bool on_bool(bool, Error& error) { return value(JsonValue::Kind::Boolean, {}, error); }
    bool on_null(Error& error) { return value(JsonValue::Kind::Null, {}, error); }
    bool on_comment_part(View, Error&) { return true; }
    bool on_comment(View, Error&) { return true; }

private:
    bool keep(View part)
    {
        token.append(part.data(), part.size());
        return true;
    }
    bool ended(JsonValue::Kind kind, Error& error)
    {
        std::string whole;
        whole.swap(token);
        return value(kind, std::move(whole), error);
    }
    bool number(View part, Error& error)
    {
        keep(part);
        return ended(JsonValue::Kind::Number, error);
    }
};

namespace {

base::Error invalid(std::string sentence)
{
    return {base::ErrorKind::Invalid, std::move(sentence)};
}

} // namespace

base::Result<JsonObject> JsonObject::read(std::string_view octets)
{
    boost::json::parse_options options;
    // One more than ours, so that our own sentence is the one that is heard.
    options.max_depth = kDepthMax + 1;
    boost::json::basic_parser<JsonCollector> parser{options};
    boost::json::error_code error;
    const std::size_t used = parser.write_some(false, octets.data(), octets.size(), error);
    if (parser.handler().refusal != nullptr) return invalid(parser.handler().refusal);
    if (error) {
        return invalid(
            "the body is not JSON: " + error.message() + " near octet " + std::to_string(used));
    }
    if (!parser.done() || used != octets.size()) {
        return invalid("something follows the JSON object, near octet " + std::to_string(used));
    }
    return std::move(parser.handler().object);
}

const JsonValue* JsonObject::find(std::string_view name) const
{
    for (const auto& [known, value] : m_members) {
        if (known == name) return &value;
    }
    return nullptr;
}

} // namespace ingest
