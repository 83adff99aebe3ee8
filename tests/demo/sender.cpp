#include "tests/demo/sender.h"

#include "processor/base/wakeup.h"
#include "tests/support/webhook.h"

#include <chrono>
#include <utility>

namespace demo {
namespace {

using namespace std::chrono_literals;

constexpr auto kPatience = 60s; // how long one message is sent again before it counts as lost
constexpr auto kPause = 50ms;

class Courier
{
public:
    Courier(const SenderOptions& options, Tally& tally)
        : m_honest{options.address, options.secret}
        , m_forger{options.address, base::Secret{"not the secret that was agreed upon with us"}}
        , m_tally{tally}
    {}

    void deliver(const Message& message, const std::stop_token& stop)
    {
        const auto deadline = std::chrono::steady_clock::now() + kPatience;
        auto& sender = message.kind == Kind::Forged ? m_forger : m_honest;
        while (!stop.stop_requested()) {
            const auto answer = sender.sendBody(message.body);
            if (answer && answer->status != 503) return judge(message, *answer);
            m_tally.tryAgain();
            if (std::chrono::steady_clock::now() >= deadline) {
                return m_tally.unexpected(answer ? "503 for a minute" : answer.error().message);
            }
            (void)m_pause.waitFor(kPause, stop);
        }
    }

private:
    static int expectedStatus(Kind kind)
    {
        switch (kind) {
        case Kind::Honest:
        case Kind::Repeat:
        case Kind::Overdraw:
            return 200;
        case Kind::Conflict:
            return 409;
        case Kind::Forged:
            return 401;
        case Kind::BadAmount:
        case Kind::BadBody:
        case Kind::UnknownUser:
            return 400;
        }
        return 0;
    }

    void judge(const Message& message, const support::WebhookAnswer& answer)
    {
        const std::string seen = std::to_string(answer.status) + " " + answer.word;
        if (answer.status != expectedStatus(message.kind)) return m_tally.unexpected(seen);
        if (answer.status != 200) return m_tally.refused(answer.word);
        const EventKey key{message.eventId, message.eventType};
        if (answer.word == "accepted") return m_tally.accepted(key);
        if (answer.word == "duplicate") return m_tally.duplicate(key);
        m_tally.unexpected(seen);
    }

    support::WebhookSender m_honest;
    support::WebhookSender m_forger;
    Tally& m_tally;
    base::Wakeup m_pause; // nobody notifies it: a wait that a stop ends
};

} // namespace

Sender::Sender(SenderOptions options, const std::vector<Message>& messages, Tally& tally)
    : m_options{std::move(options)}
    , m_messages{messages}
    , m_tally{tally}
{
    for (std::size_t i = 0; i < m_options.connections; ++i) {
        m_threads.emplace_back([this](const std::stop_token& stop) { work(stop); });
    }
}

void Sender::work(const std::stop_token& stop)
{
    Courier courier{m_options, m_tally};
    while (!stop.stop_requested()) {
        const std::size_t index = m_next.fetch_add(1);
        if (index >= m_messages.size()) return;
        courier.deliver(m_messages[index], stop);
    }
}

void Sender::finish()
{
    for (std::jthread& thread : m_threads) {
        if (thread.joinable()) thread.join();
    }
}

} // namespace demo
