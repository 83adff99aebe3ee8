#include "tests/demo/latency.h"

#include "processor/base/wakeup.h"
#include "sql/audit.h"
#include "tests/demo/traffic.h"
#include "tests/support/webhook.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace demo {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto kLookEvery = 2ms;
constexpr auto kStragglers = 10s; // how long the last ones are waited for

// When each webhook was sent, until it is seen confirmed.
class Outstanding
{
public:
    void sent(const std::string& id, Clock::time_point at)
    {
        const std::scoped_lock lock{m_mutex};
        m_sent[id] = at;
    }

    std::optional<Clock::time_point> seen(const std::string& id)
    {
        const std::scoped_lock lock{m_mutex};
        const auto found = m_sent.extract(id);
        if (found.empty()) return std::nullopt;
        return found.mapped();
    }

private:
    std::mutex m_mutex;
    std::map<std::string, Clock::time_point> m_sent;
};

class Pacer
{
public:
    Pacer(const LatencyOptions& options, Outstanding& outstanding, Tally& tally)
        : m_options{options}
        , m_outstanding{outstanding}
        , m_tally{tally}
        , m_sender{options.address, options.secret}
    {}

    void run(const std::stop_token& stop)
    {
        base::Wakeup pause; // nobody notifies it: a wait that a stop ends
        auto next = Clock::now();
        for (std::size_t i = 0; i < m_options.count && !stop.stop_requested(); ++i) {
            (void)pause.waitFor(next - Clock::now(), stop);
            next += m_options.every;
            post(m_options.prefix + "calm-" + std::to_string(i),
                1 + static_cast<std::int64_t>(i) % kUsers);
        }
    }

private:
    void post(const std::string& id, std::int64_t user)
    {
        m_outstanding.sent(id, Clock::now());
        const auto answer
            = m_sender.send({.eventId = id, .userId = user, .amount = "0.000000000000000001"});
        if (answer && answer->status == 200) return m_tally.accepted({id, "deposit"});
        m_tally.unexpected(
            answer ? std::to_string(answer->status) + " " + answer->word : answer.error().message);
    }

    const LatencyOptions& m_options;
    Outstanding& m_outstanding;
    Tally& m_tally;
    support::WebhookSender m_sender;
};

Latency summed(std::vector<std::chrono::microseconds> times)
{
    if (times.empty()) return {};
    std::ranges::sort(times);
    const auto rank = [&](std::size_t percent) {
        return times[std::min(times.size() - 1, times.size() * percent / 100)];
    };
    return {times.size(), rank(50), rank(99), times.back()};
}

} // namespace

base::Result<Latency> measureLatency(const LatencyOptions& options, Tally& tally)
{
    auto database
        = pg::Connection::open({.url = options.databaseUrl, .applicationName = "countersign-demo"});
    if (!database) return database.error();
    const auto last = database->run(sql::kLatencyLast);
    if (!last) return last.error();
    std::int64_t no = last->bigint(0, 0);

    Outstanding outstanding;
    Pacer pacer{options, outstanding, tally};
    std::vector<std::chrono::microseconds> times;
    base::Wakeup pause;
    std::jthread sender{[&](const std::stop_token& stop) { pacer.run(stop); }};
    const auto deadline = Clock::now() + options.every * options.count + kStragglers;
    while (times.size() < options.count && Clock::now() < deadline) {
        const auto rows = database->run(sql::kLatencyConfirmed, std::move(pg::Params{}.bigint(no)));
        if (!rows) return rows.error();
        const auto now = Clock::now();
        for (int row = 0; row < rows->size(); ++row) {
            no = rows->bigint(row, 0);
            if (rows->text(row, 1) != "payment.confirmed") continue;
            if (const auto sent = outstanding.seen(std::string{rows->text(row, 2)})) {
                times.push_back(std::chrono::duration_cast<std::chrono::microseconds>(now - *sent));
            }
        }
        (void)pause.waitFor(kLookEvery, {});
    }
    return summed(std::move(times));
}

} // namespace demo
