#include "tests/processor/watch/drain_bench.h"

#include "processor/base/uuid.h"
#include "tests/support/require.h"

DrainBench::DrainBench(support::TestStack& stack)
    : m_events{stack}
    , m_redisOptions{.url = stack.redisUrl()}
    , m_redis{stack.connectRedis(true)}
    , m_key{store::letterKey(base::Secret{kWebhookSecret})}
    , m_connection{m_events.database().connect("countersign_processor")}
{
    database().run("INSERT INTO jobs (name, daily_at, next_due_at) VALUES ('dlq_drain', '04:00',"
                   " now())");
}

std::int64_t DrainBench::putExhausted(const std::string& id, std::int64_t user)
{
    const auto no = m_events.put({.id = id, .user = user});
    database().run("UPDATE event_queue SET attempts = 5 WHERE event_no = " + std::to_string(no));
    return no;
}

store::LetterCopy DrainBench::copyOf(std::int64_t no)
{
    const std::string where = " FROM payment_events WHERE event_no = " + std::to_string(no);
    return {.uid = base::randomUuid(),
        .no = domain::EventNo{no},
        .eventId = database().value("SELECT event_id" + where),
        .eventType = database().value("SELECT event_type" + where),
        .user = domain::UserId{std::stoll(database().value("SELECT user_id" + where))},
        .asset = "ETH",
        .amount = database().value("SELECT trim_scale(amount)" + where),
        .merchant = std::nullopt,
        .failure = domain::Failure::Exhausted,
        .error = "the disk was full",
        .errorClass = "23514",
        .cause = "0123456789abcdef",
        .attempt = 6,
        .traceId = "trace"};
}

std::string DrainBench::entryOf(const store::LetterCopy& copy) const
{
    return store::writeLetterCopy(copy, m_key);
}

void DrainBench::push(const std::string& entry, std::string_view list)
{
    support::require(m_redis.run({"RPUSH", list, entry}));
}

std::vector<std::string> DrainBench::list(std::string_view list)
{
    std::vector<std::string> entries;
    for (const auto& item : support::require(m_redis.run({"LRANGE", list, "0", "-1"})).items) {
        entries.push_back(item.text);
    }
    return entries;
}

std::unique_ptr<watch::LetterDrain> DrainBench::drain()
{
    return std::make_unique<watch::LetterDrain>(
        m_redisOptions, base::Secret{kWebhookSecret}, m_log, m_alerter, m_metrics);
}

store::JobLease DrainBench::lease()
{
    const std::string token = base::randomUuid();
    database().run("UPDATE jobs SET lease_token = '" + token
        + "', lease_until = now() + interval '1 minute' WHERE name = 'dlq_drain'");
    return {m_connection, "dlq_drain", token, 0};
}

watch::DrainReport DrainBench::run()
{
    auto held = lease();
    return support::require(drain()->run(held, {}));
}

watch::Drained DrainBench::bring(const std::string& entry)
{
    push(entry);
    auto held = lease();
    const auto one = drain();
    const auto taken = support::require(one->take());
    const auto ending = support::require(one->bring(held, taken.value()));
    support::require(one->forget(*taken));
    return ending;
}

std::string DrainBench::quarantine()
{
    return database().table(
        "SELECT reason, count FROM quarantine WHERE source = 'dlq' ORDER BY reason");
}
