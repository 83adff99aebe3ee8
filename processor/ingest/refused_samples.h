// RefusedSamples: what is kept of requests whose signature was wrong – a few, and how many.
#pragma once

#include "processor/crypto/digest.h"
#include "processor/http/message.h"
#include "processor/ingest/source.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

namespace ingest {

/// A row for `deliveries` with verdict `refused`.
struct RefusedRow
{
    std::string source;
    crypto::Digest bodySha256{};
    std::string body; // cut at kRefusedBodyMax; empty in the row of a minute
    std::string headers; // a JSON object
    std::string traceId;
    std::string remote;
};

/// At most kRefusedSamplesMax samples a minute, and one row with the count of each minute that had
/// more. Anybody can send such requests, so they must cost next to nothing. Thread-safe.
class RefusedSamples
{
public:
    using Clock = std::function<std::chrono::system_clock::time_point()>;

    explicit RefusedSamples(Clock clock = &std::chrono::system_clock::now);

    /// Counts one; true when it became a sample that waits to be taken.
    bool note(const Source& source, const http::Request& request);
    /// What waits to be written, each row once.
    std::vector<RefusedRow> take();

private:
    void closeMinute(std::int64_t minute);

    Clock m_clock;
    std::mutex m_mutex;
    std::int64_t m_minute = 0; // since 1970
    std::int64_t m_count = 0;
    std::string m_lastSource;
    std::vector<RefusedRow> m_rows;
};

} // namespace ingest
