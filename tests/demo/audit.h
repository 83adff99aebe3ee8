// Audit: reads the books, the log and the stream from outside and says what is wrong with them.
#pragma once

#include "processor/pg/connection.h"
#include "processor/redis/client.h"
#include "tests/demo/tally.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace demo {

struct Findings
{
    std::int64_t accounts = 0;
    std::int64_t wrongSums = 0;
    std::int64_t doubleCredits = 0;
    std::int64_t lost = 0; // answered 200, without an outcome
    std::int64_t confirmed = 0;
    std::int64_t insufficientFunds = 0;
    std::map<std::string, std::int64_t> otherFailures;
    std::int64_t logLines = 0;
    std::int64_t streamEntries = 0;
    std::vector<std::string> complaints; // empty when all is right
};

class Audit
{
public:
    /// Remembers where the events of this run begin.
    static base::Result<Audit> begin(const std::string& databaseUrl, const std::string& redisUrl);

    /// Waits until nothing is left to be done; false at the deadline.
    base::Result<bool> waitSettled(std::chrono::milliseconds limit);
    /// Waits until the stream holds the whole log; false at the deadline.
    base::Result<bool> waitRelayed(std::chrono::milliseconds limit);

    base::Result<Findings> run(const Answers& answers);

    /// The number of the Redis server's process.
    base::Result<std::int64_t> redisPid();

private:
    Audit(pg::Connection database, redis::Client redis, std::int64_t firstEvent);

    base::Result<std::int64_t> number(
        const pg::Statement& statement, const pg::Params& params = {});
    base::Status readBooks(Findings& findings);
    base::Status readOutcomes(Findings& findings, const Answers& answers);
    base::Status compareStream(Findings& findings);
    base::Result<std::int64_t> lastOfStream();

    pg::Connection m_database;
    redis::Client m_redis;
    std::int64_t m_firstEvent;
};

} // namespace demo
