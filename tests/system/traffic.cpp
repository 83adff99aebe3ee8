#include "tests/system/traffic.h"

#include "tests/support/wait.h"

#include <chrono>

using namespace std::chrono_literals;

Traffic::Traffic(base::Secret secret, int senders, std::int64_t users)
    : m_secret{std::move(secret)}
    , m_users{users}
{
    for (int sender = 0; sender < senders; ++sender) {
        m_threads.emplace_back([this, sender](std::stop_token stop) { run(stop, sender); });
    }
}

Traffic::~Traffic()
{
    stop();
}

void Traffic::aim(const std::string& address)
{
    const std::scoped_lock lock{m_mutex};
    m_address = address;
}

std::string Traffic::address()
{
    const std::scoped_lock lock{m_mutex};
    return m_address;
}

std::set<std::string> Traffic::promised()
{
    const std::scoped_lock lock{m_mutex};
    return m_promised;
}

void Traffic::stop()
{
    for (auto& thread : m_threads) thread.request_stop();
    m_threads.clear();
}

bool Traffic::sendOne(support::WebhookSender& sender, const support::Payment& payment)
{
    const auto answer = sender.send(payment);
    if (!answer || answer->status != 200) return false;
    const std::scoped_lock lock{m_mutex};
    m_promised.insert(payment.eventId);
    return true;
}

void Traffic::run(std::stop_token stop, int sender)
{
    for (int n = 0; !stop.stop_requested(); ++n) {
        const std::string here = address();
        if (here.empty()) {
            (void)support::waitUntil(
                [&] { return stop.stop_requested() || !address().empty(); }, 1s);
            continue;
        }
        support::WebhookSender webhook{here, m_secret};
        const support::Payment payment{
            .eventId = "evt-" + std::to_string(sender) + "-" + std::to_string(n),
            .userId = 1 + n % m_users};
        if (sendOne(webhook, payment) && n % 5 == 0) (void)sendOne(webhook, payment);
    }
}
