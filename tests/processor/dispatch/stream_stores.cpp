#include "tests/processor/dispatch/stream_stores.h"

#include "processor/pg/transaction.h"
#include "tests/support/require.h"
#include "tests/support/wait.h"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

namespace dispatch {
namespace {

using namespace std::chrono_literals;
using support::require;

store::LogEntry entryOf(std::int64_t eventNo, const std::string& kind)
{
    store::LogEntry entry;
    entry.eventNo = eventNo;
    entry.kind = kind;
    entry.traceId = "trace-" + std::to_string(eventNo);
    entry.paymentId = "pay-" + std::to_string(eventNo);
    entry.eventType = "deposit";
    entry.userId = 1 + eventNo % 100;
    if (eventNo % 3 == 0) entry.merchantId = "shop-" + std::to_string(eventNo % 7);
    entry.asset = "ETH";
    entry.amount = "1." + std::to_string(eventNo % 10) + "0";
    return entry;
}

std::string shown(const StreamFields& fields)
{
    std::string text;
    for (const auto& [name, value] : fields) text += name + "=" + value + " ";
    return text;
}

} // namespace

StreamStores::StreamStores(support::TestStack& stack, std::vector<std::string> redisSettings)
    : database{stack.createDatabase()}
    , redis{require(support::RedisServer::start(std::move(redisSettings)))}
    , m_log{"test"}
{
    alerter.addSink([this](const base::Alert& alert) {
        const std::lock_guard lock{m_mutex};
        m_alertKeys.push_back(alert.key);
    });
}

pg::ConnectOptions StreamStores::connect() const
{
    pg::ConnectOptions options;
    options.url = database.url();
    options.user = "countersign_processor";
    return options;
}

RelayOptions StreamStores::relayOptions() const
{
    RelayOptions options;
    options.database = connect();
    options.redis.url = redis->url();
    return options;
}

ReaderOptions StreamStores::readerOptions(const std::string& consumer) const
{
    ReaderOptions options;
    options.database = connect();
    options.redis.url = redis->url();
    options.consumer = consumer;
    options.block = 50ms;
    return options;
}

void StreamStores::log(int count, const std::string& kind)
{
    auto connection = database.connect("countersign_processor");
    while (count > 0) {
        const int now = std::min(count, 500);
        std::vector<store::LogEntry> entries;
        for (int i = 0; i < now; ++i) entries.push_back(entryOf(++m_eventNo, kind));
        pg::Transaction transaction{connection};
        m_log.appendTo(transaction, entries);
        m_log.committed(require(transaction.commit()).back(), entries.size());
        count -= now;
    }
}

void StreamStores::enqueue(int count)
{
    const std::int64_t first = m_eventNo + 1;
    database.run("INSERT INTO event_queue (event_no, user_id, lane) SELECT n, 1 + n % 100, "
                 "(1 + n % 100) % 64 FROM generate_series("
        + std::to_string(first) + ", " + std::to_string(first + count - 1) + ") AS n");
    log(count, "payment.enqueued");
}

void StreamStores::endEvents(int keep)
{
    database.run("DELETE FROM event_queue WHERE event_no NOT IN (SELECT event_no FROM event_queue "
                 "ORDER BY event_no DESC LIMIT "
        + std::to_string(keep) + ")");
}

std::vector<RelayedLine> StreamStores::linesFrom(std::int64_t from)
{
    auto connection = database.connect();
    const auto rows = require(connection.run(
        {"lines",
            "SELECT no, kind, payment_id, event_type, user_id, merchant_id, asset, "
            "trim_scale(amount)::text, trace_id, at, (SELECT left(epoch::text, 8) FROM "
            "log_tail) FROM payment_log WHERE no >= $1 ORDER BY no"},
        pg::Params{}.bigint(from)));
    return readRelayedLines(rows);
}

std::int64_t StreamStores::logLast()
{
    return std::stoll(database.value("SELECT coalesce(max(no), 0) FROM payment_log"));
}

redis::Reply StreamStores::command(const std::vector<std::string>& arguments)
{
    redis::Client client{{.url = redis->url()}};
    const std::vector<std::string_view> views{arguments.begin(), arguments.end()};
    return require(client.run(views));
}

std::string StreamStores::differenceFrom(std::int64_t from)
{
    const auto lines = linesFrom(from);
    const auto reply = command({"XRANGE", "payments:events", "-", "+"});
    std::size_t next = 0;
    for (const redis::Reply& entry : reply.items) {
        if (next == lines.size()) return "entry " + entry.items[0].text + " is not in the log";
        const RelayedLine& line = lines[next++];
        if (entry.items[0].text != idOfNumber(line.no)) {
            return "entry " + entry.items[0].text + " where " + std::to_string(line.no)
                + " belongs";
        }
        StreamFields fields;
        for (std::size_t i = 0; i + 1 < entry.items[1].items.size(); i += 2) {
            fields.emplace_back(entry.items[1].items[i].text, entry.items[1].items[i + 1].text);
        }
        if (fields != streamFields(line)) {
            return shown(fields) + "instead of " + shown(streamFields(line));
        }
    }
    if (next != lines.size()) return "the stream ends before " + std::to_string(lines[next].no);
    return {};
}

std::int64_t StreamStores::streamLength()
{
    return command({"XLEN", "payments:events"}).integer;
}

std::int64_t StreamStores::pending(const std::string& group)
{
    return command({"XPENDING", "payments:events", group}).items.at(0).integer;
}

std::vector<std::int64_t> StreamStores::readAll(const std::string& group)
{
    std::vector<std::int64_t> numbers;
    for (;;) {
        const auto reply = command({"XREADGROUP", "GROUP", group, "test", "COUNT", "1000",
            "STREAMS", "payments:events", ">"});
        if (reply.items.empty()) return numbers;
        for (const redis::Reply& entry : reply.items[0].items[1].items) {
            numbers.push_back(numberOfId(entry.items[0].text).value_or(-1));
        }
    }
}

void StreamStores::acknowledge(const std::string& group, std::int64_t from, std::int64_t to)
{
    std::vector<std::string> arguments{"XACK", "payments:events", group};
    for (std::int64_t number = from; number <= to; ++number) {
        arguments.push_back(idOfNumber(number));
    }
    (void)command(arguments);
}

std::vector<std::string> StreamStores::alertKeys()
{
    const std::lock_guard lock{m_mutex};
    return m_alertKeys;
}

std::int64_t relayAll(Relay& relay)
{
    std::int64_t relayed = 0;
    (void)support::waitUntil(
        [&] {
            const auto step = relay.runOnce();
            if (!step) return false;
            relayed += step->appended;
            return step->appended == 0 && !step->isMisplaced;
        },
        20s);
    return relayed;
}

} // namespace dispatch
