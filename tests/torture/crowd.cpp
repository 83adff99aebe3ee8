#include "tests/torture/crowd.h"

#include "tests/support/wait.h"

#include <algorithm>
#include <memory>

namespace torture {

using namespace std::chrono_literals;

namespace {

constexpr std::int64_t kSharedAccounts = 10;

} // namespace

/// The kept connections of one thread, one per address.
class Crowd::Lines
{
public:
    explicit Lines(const base::Secret& secret) : m_secret{secret} {}

    int send(const std::string& address, const support::Payment& payment)
    {
        auto& line = m_lines[address];
        if (!line) line = std::make_unique<support::WebhookSender>(address, m_secret);
        const auto answer = line->send(payment);
        if (!answer) line.reset();
        return answer ? answer->status : 0;
    }

private:
    const base::Secret& m_secret;
    std::map<std::string, std::unique_ptr<support::WebhookSender>> m_lines;
};

Turn pairsOf(std::int64_t users)
{
    return [users](std::int64_t turn) -> std::vector<support::Payment> {
        const auto shared = std::min(kSharedAccounts, users);
        const auto user = turn % 2 == 0 ? 1 + turn / 2 % users : 1 + turn / 2 % shared;
        const auto id = std::to_string(turn);
        const auto amount = std::to_string(1 + turn % 97) + ".000000000000000001";
        return {{.eventId = "in-" + id, .userId = user, .amount = amount},
            {.eventId = "out-" + id, .eventType = "withdrawal", .userId = user, .amount = amount}};
    };
}

Turn depositsTo(std::int64_t users)
{
    return [users](std::int64_t turn) -> std::vector<support::Payment> {
        support::Payment payment{
            .eventId = "good-" + std::to_string(turn), .userId = 1 + turn % users};
        if (turn % 3 == 0) payment.more.emplace_back("merchant_id", "shop");
        return {payment};
    };
}

Crowd::Crowd(base::Secret secret, int senders, Turn turn, std::optional<std::int64_t> turns)
    : m_secret{std::move(secret)}
    , m_turn{std::move(turn)}
    , m_turns{turns}
{
    for (int sender = 0; sender < senders; ++sender) {
        m_threads.emplace_back([this, sender](const std::stop_token& stop) { run(stop, sender); });
    }
}

void Crowd::aim(std::vector<std::string> addresses)
{
    const std::scoped_lock lock{m_mutex};
    m_addresses = std::move(addresses);
}

void Crowd::stop()
{
    for (auto& thread : m_threads) thread.request_stop();
    m_threads.clear();
}

bool Crowd::isDone()
{
    const std::scoped_lock lock{m_mutex};
    return m_turns && m_finished >= *m_turns;
}

std::int64_t Crowd::finishedTurns()
{
    const std::scoped_lock lock{m_mutex};
    return m_finished;
}

std::vector<std::string> Crowd::promised()
{
    const std::scoped_lock lock{m_mutex};
    return m_promised;
}

std::map<int, std::int64_t> Crowd::statuses()
{
    const std::scoped_lock lock{m_mutex};
    return m_statuses;
}

std::chrono::milliseconds Crowd::longestWait()
{
    const std::scoped_lock lock{m_mutex};
    return m_longest;
}

std::string Crowd::addressOf(std::size_t choice)
{
    const std::scoped_lock lock{m_mutex};
    return m_addresses.empty() ? std::string{} : m_addresses[choice % m_addresses.size()];
}

bool Crowd::deliver(
    const std::stop_token& stop, Lines& lines, const support::Payment& payment, std::size_t first)
{
    const auto begun = std::chrono::steady_clock::now();
    for (std::size_t attempt = 0; !stop.stop_requested(); ++attempt) {
        const auto address = addressOf(first + attempt);
        const int status = address.empty() ? 0 : lines.send(address, payment);
        {
            const std::scoped_lock lock{m_mutex};
            if (!address.empty()) ++m_statuses[status];
            if (status == 200) {
                m_promised.push_back(payment.eventId);
                m_longest = std::max(m_longest,
                    std::chrono::duration_cast<std::chrono::milliseconds>(
                        std::chrono::steady_clock::now() - begun));
                return true;
            }
        }
        // Nobody there, or not now.
        (void)support::waitUntil([&] { return stop.stop_requested(); }, 20ms);
    }
    return false;
}

void Crowd::run(const std::stop_token& stop, int sender)
{
    Lines lines{m_secret};
    while (!stop.stop_requested()) {
        std::int64_t turn = 0;
        {
            const std::scoped_lock lock{m_mutex};
            if (m_turns && m_begun >= *m_turns) return;
            turn = m_begun++;
        }
        for (const auto& payment : m_turn(turn)) {
            if (!deliver(stop, lines, payment, static_cast<std::size_t>(sender))) return;
        }
        const std::scoped_lock lock{m_mutex};
        ++m_finished;
    }
}

} // namespace torture
