#include "processor/http/request_reader.h"

#include "processor/base/check.h"
#include "processor/base/limits.h"
#include "processor/http/trace_id.h"

#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include <utility>

namespace http {

namespace beast = boost::beast::http;

struct RequestReader::Parser
{
    std::optional<beast::request_parser<beast::string_body>> parser;

    [[nodiscard]] std::vector<Header> headers() const
    {
        std::vector<Header> all;
        for (const auto& field : parser->get()) {
            all.push_back({std::string{field.name_string()}, std::string{field.value()}});
        }
        return all;
    }
};

namespace {

struct Meaning
{
    beast::error error;
    int status;
    const char* code;
    const char* detail;
};

// What is not in this table is a malformed request.
constexpr Meaning kMeanings[]{
    {beast::error::body_limit, 413, "payload_too_large", "the body is larger than is taken here"},
    {beast::error::header_limit, 431, "invalid_request", "the header is larger than 8192 octets"},
    {beast::error::bad_version, 505, "invalid_request", "HTTP/1.1 is spoken here"},
    {beast::error::bad_content_length, 400, "invalid_request",
        "Content-Length is malformed, or not the only length"},
    {beast::error::multiple_content_length, 400, "invalid_request",
        "there are several Content-Length"},
    {beast::error::bad_transfer_encoding, 400, "invalid_request",
        "Transfer-Encoding is malformed, or stands beside Content-Length"},
    {beast::error::bad_chunk, 400, "invalid_request", "a chunk is malformed"},
};

static_assert(base::kHeaderMax == 8'192, "the sentence above says so");

bool isToken(std::string_view value, std::string_view token)
{
    return equalIgnoringCase(value, token);
}

} // namespace

RequestReader::RequestReader(std::size_t bodyMax)
    : m_bodyMax{bodyMax}
    , m_parser{std::make_unique<Parser>()}
{
    CHECK(bodyMax <= base::kBodyMax);
    begin();
}

RequestReader::~RequestReader() = default;

void RequestReader::begin()
{
    m_parser->parser.emplace();
    m_parser->parser->eager(true);
    m_parser->parser->body_limit(m_bodyMax);
    m_parser->parser->header_limit(base::kHeaderMax);
    m_state = State::NeedsMore;
    m_isHeaderJudged = false;
    m_wantsContinue = false;
    m_failure.reset();
    m_traceId.clear();
}

std::size_t RequestReader::feed(std::span<const char> octets)
{
    CHECK(m_state == State::NeedsMore);
    auto& parser = *m_parser->parser;
    boost::beast::error_code error;
    const std::size_t used
        = parser.put(boost::asio::const_buffer{octets.data(), octets.size()}, error);
    if (parser.is_header_done() && !std::exchange(m_isHeaderJudged, true)) judgeHeader();
    if (m_state == State::Failed) return used;
    if (error && error != beast::error::need_more) {
        for (const Meaning& meaning : kMeanings) {
            if (error == meaning.error) {
                fail(meaning.status, meaning.code, meaning.detail);
                return used;
            }
        }
        fail(400, "invalid_request", "the request is malformed: " + error.message());
        return used;
    }
    if (parser.is_done()) m_state = State::Complete;
    return used;
}

void RequestReader::judgeHeader()
{
    const auto& message = m_parser->parser->get();
    const auto hosts = message.count(beast::field::host);
    if (hosts > 1 || (hosts == 0 && message.version() >= 11)) {
        return fail(400, "invalid_request", "exactly one Host header is needed");
    }
    if (const auto coding = message.find(beast::field::transfer_encoding);
        coding != message.end()) {
        // What stands before "chunked" would be undone by one reader and not by another.
        const bool isPlain = message.count(beast::field::transfer_encoding) == 1
            && isToken({coding->value().data(), coding->value().size()}, "chunked");
        if (!isPlain || message.version() < 11) {
            return fail(400, "invalid_request", "the only transfer coding is chunked");
        }
        if (message.count(beast::field::content_length) > 0) {
            return fail(400, "invalid_request", "Content-Length stands beside Transfer-Encoding");
        }
    }
    const auto length = message.find(beast::field::content_length);
    if (message.count(beast::field::content_length) > 1
        || (length != message.end() && length->value().find(',') != std::string_view::npos)) {
        return fail(400, "invalid_request", "there are several Content-Length");
    }
    if (const auto expect = message.find(beast::field::expect);
        expect != message.end() && message.version() >= 11) {
        if (!isToken({expect->value().data(), expect->value().size()}, "100-continue")) {
            return fail(417, "invalid_request", "the only expectation met is 100-continue");
        }
        m_wantsContinue = !m_parser->parser->is_done();
    }
}

void RequestReader::fail(int status, std::string code, std::string detail)
{
    m_state = State::Failed;
    m_failure = ReadFailure{status, std::move(code), std::move(detail)};
}

const ReadFailure& RequestReader::failure() const
{
    CHECK(m_failure.has_value());
    return *m_failure;
}

bool RequestReader::takeWantsContinue()
{
    return std::exchange(m_wantsContinue, false);
}

bool RequestReader::keepsAlive() const
{
    return m_parser->parser->get().keep_alive();
}

bool RequestReader::isHttp10() const
{
    return m_parser->parser->get().version() < 11;
}

const std::string& RequestReader::traceId()
{
    if (m_traceId.empty()) m_traceId = traceIdOf(m_parser->headers());
    return m_traceId;
}

Request RequestReader::take()
{
    CHECK(m_state == State::Complete);
    Request request;
    request.headers = m_parser->headers();
    request.traceId = m_traceId.empty() ? traceIdOf(request.headers) : m_traceId;
    auto message = m_parser->parser->release();
    request.method = std::string{message.method_string()};
    request.target = std::string{message.target()};
    request.body = std::move(message.body());
    return request;
}

} // namespace http
