// StreamStores: a migrated database and a Redis of its own for one test, and what the tests of the
// stream ask of both.
#pragma once

#include "processor/base/alert.h"
#include "processor/base/metrics.h"
#include "processor/dispatch/relay.h"
#include "processor/dispatch/stream_reader.h"
#include "processor/store/payment_log.h"
#include "tests/support/redis_server.h"
#include "tests/support/stack.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace dispatch {

class StreamStores
{
public:
    StreamStores(support::TestStack& stack, std::vector<std::string> redisSettings = {});

    support::Database database;
    std::unique_ptr<support::RedisServer> redis;
    base::Alerter alerter;
    base::Metrics metrics;

    [[nodiscard]] pg::ConnectOptions connect() const;
    [[nodiscard]] RelayOptions relayOptions() const;
    [[nodiscard]] ReaderOptions readerOptions(const std::string& consumer) const;

    /// Appends `count` lines of this kind, as transactions of their own; event numbers continue.
    void log(int count, const std::string& kind = "payment.confirmed");
    /// Appends an enqueued line for each of `count` events that also stand in the queue.
    void enqueue(int count);
    /// The events of all queue rows end, but those of the last `keep`.
    void endEvents(int keep = 0);
    [[nodiscard]] std::int64_t logLast();
    [[nodiscard]] std::vector<RelayedLine> linesFrom(std::int64_t from);

    /// One command; what it fails with ends the test program.
    redis::Reply command(const std::vector<std::string>& arguments);
    /// Empty when the stream holds exactly the log's lines `from` to the end, field by field;
    /// otherwise the first difference.
    std::string differenceFrom(std::int64_t from);
    [[nodiscard]] std::int64_t streamLength();
    /// Number of entries the group holds pending.
    [[nodiscard]] std::int64_t pending(const std::string& group = "balance_updaters");
    /// The numbers a new consumer of the group is given now, without acknowledging them.
    std::vector<std::int64_t> readAll(const std::string& group);
    void acknowledge(const std::string& group, std::int64_t from, std::int64_t to);

    /// Keys of alerts raised so far, in order.
    [[nodiscard]] std::vector<std::string> alertKeys();

private:
    store::PaymentLog m_log;
    std::int64_t m_eventNo = 0;
    std::mutex m_mutex;
    std::vector<std::string> m_alertKeys;
};

/// Relays until nothing is left; the number relayed. Errors on the way are tried again up to a
/// deadline of 20 s.
std::int64_t relayAll(Relay& relay);

} // namespace dispatch
