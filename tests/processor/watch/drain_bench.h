// DrainBench: events that have failed for good, copies of their letters in Redis, and the drain.
#pragma once

#include "processor/store/letter_copy.h"
#include "processor/watch/letter_drain.h"
#include "tests/processor/settle/settle_bench.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

inline constexpr const char* kWebhookSecret = "0123456789abcdef0123456789abcdef";

class DrainBench
{
public:
    explicit DrainBench(support::TestStack& stack);

    SettleBench& events() { return m_events; }
    support::Database& database() { return m_events.database(); }

    /// An event whose five retries are used up, as its work row says.
    std::int64_t putExhausted(const std::string& id, std::int64_t user = 1);
    /// The copy that a settler would leave when the event's sixth attempt failed.
    store::LetterCopy copyOf(std::int64_t no);
    std::string entryOf(const store::LetterCopy& copy) const;
    void push(const std::string& entry, std::string_view list = store::kLetterList);
    /// What stands in a list, in order.
    std::vector<std::string> list(std::string_view list = store::kLetterList);

    std::unique_ptr<watch::LetterDrain> drain();
    /// A lease of the job, as the scheduler would give it; the one before is lost.
    store::JobLease lease();
    watch::DrainReport run();
    /// One entry through the whole drain.
    watch::Drained bring(const std::string& entry);

    /// "(reason,count)" of what is in quarantine.
    std::string quarantine();

private:
    SettleBench m_events;
    redis::ClientOptions m_redisOptions;
    redis::Client m_redis;
    const crypto::HmacSha256 m_key;
    pg::Connection m_connection;
    store::PaymentLog m_log{"drain"};
    base::Alerter m_alerter;
    base::Metrics m_metrics;
};
