#include "tests/demo/traffic.h"

#include "tests/support/webhook.h"

#include <algorithm>
#include <array>
#include <random>
#include <string_view>

namespace demo {
namespace {

class Maker
{
public:
    explicit Maker(const TrafficOptions& options) : m_options{options}, m_dice{options.seed} {}

    std::vector<Message> make()
    {
        const std::size_t pairEvery = m_options.count / static_cast<std::size_t>(kPairs + 1) + 1;
        for (std::size_t i = 1; i <= m_options.count; ++i) {
            addHonest();
            if (i % pairEvery == 0 && m_pairs < kPairs) addPair();
            if (below(100) < 10) addRepeat(roll(1, 40));
            if (below(100) < 1) addConflict();
            if (below(100) < 1) addForged();
            if (below(100) < 2) addBadAmount();
            if (below(100) < 1) addBadBody();
            if (below(100) < 1) addUnknownUser();
        }
        return std::move(m_messages);
    }

private:
    std::int64_t roll(std::int64_t from, std::int64_t to) // the same on every platform
    {
        return from
            + static_cast<std::int64_t>(m_dice() % static_cast<std::uint64_t>(to - from + 1));
    }
    std::int64_t below(std::int64_t limit) { return roll(0, limit - 1); }

    std::string nextId(std::string_view word)
    {
        return m_options.prefix + std::string{word} + std::to_string(++m_lastId);
    }

    // Of two payments with k × 10^-d each, sums are exact only in exact arithmetic.
    std::string amount(std::int64_t wholeMax)
    {
        std::string text = std::to_string(roll(0, wholeMax)) + ".";
        const auto decimals = roll(1, 18);
        for (std::int64_t i = 1; i < decimals; ++i) text += static_cast<char>('0' + below(10));
        return text + static_cast<char>('1' + below(9));
    }

    struct Payment
    {
        std::string eventId;
        std::string_view eventType;
        std::int64_t user;
        std::string asset;
        std::string amount;
    };

    void add(Kind kind, const Payment& payment)
    {
        const std::string type{payment.eventType};
        m_messages.push_back({kind, payment.eventId, type,
            support::bodyOf({payment.eventId, type, payment.user, payment.amount,
                {{"asset", payment.asset}}})});
    }

    void addHonest()
    {
        static constexpr std::array<std::string_view, 10> kTypes{"deposit", "deposit", "deposit",
            "deposit", "deposit", "airdrop", "withdrawal", "withdrawal", "withdrawal",
            "withdrawal_fee"};
        const auto type = kTypes[static_cast<std::size_t>(below(10))];
        const bool isEther = below(2) == 0;
        add(Kind::Honest,
            {nextId("evt-"), type, roll(1, kUsers), isEther ? "ETH" : "USDC",
                amount(type == "withdrawal" ? 12 : 3)});
    }

    // Both at once: they are neighbours, and several connections send them.
    void addPair()
    {
        const std::int64_t user = kFirstPairUser + m_pairs++;
        for (int half = 0; half < 2; ++half) {
            add(Kind::Overdraw, {nextId("both-"), "withdrawal", user, "ETH", "80"});
        }
    }

    void addRepeat(std::int64_t distance)
    {
        const auto size = static_cast<std::int64_t>(m_messages.size());
        const Message& first
            = m_messages[static_cast<std::size_t>(std::max<std::int64_t>(0, size - distance))];
        if (first.kind != Kind::Honest && first.kind != Kind::Overdraw) return;
        Message again = first;
        again.kind = Kind::Repeat;
        m_messages.push_back(std::move(again));
    }

    void addConflict()
    {
        const std::size_t back = 200; // answered long ago, whatever the connections do
        if (m_messages.size() < back) return;
        const Message& first = m_messages[m_messages.size() - back];
        if (first.kind != Kind::Honest) return;
        Message other = first;
        other.kind = Kind::Conflict;
        const auto at = other.body.find("\"amount\":\"") + std::string_view{"\"amount\":\""}.size();
        other.body.insert(at, "9");
        m_messages.push_back(std::move(other));
    }

    void addForged() { add(Kind::Forged, {nextId("forged-"), "deposit", 1, "ETH", "1000"}); }

    void addBadAmount()
    {
        static constexpr std::array<std::string_view, 8> kAmounts{
            "+50.1", "1_000", " 50", "1e-19", "100000000000000000000", "0", "-3", "1e1000000000"};
        const auto text = kAmounts[static_cast<std::size_t>(below(8))];
        add(Kind::BadAmount,
            {nextId("odd-"), "deposit", roll(1, kUsers), "ETH", std::string{text}});
    }

    void addBadBody()
    {
        static constexpr std::array<std::string_view, 4> kEndings{
            R"(","event_type":"deposit","user_id":1,"amount":50.1})",
            R"(","event_type":"deposit","user_id":1})",
            R"(","event_type":"gift","user_id":1,"amount":"1"})", R"(","event_type":"dep)"};
        const std::string body = "{\"event_id\":\"" + nextId("bad-")
            + std::string{kEndings[static_cast<std::size_t>(below(4))]};
        m_messages.push_back({Kind::BadBody, "", "", body});
    }

    void addUnknownUser()
    {
        add(Kind::UnknownUser, {nextId("lost-"), "deposit", 1'000'000 + below(1'000), "ETH", "1"});
    }

    TrafficOptions m_options;
    std::mt19937_64 m_dice;
    std::vector<Message> m_messages;
    std::uint64_t m_lastId = 0;
    std::int64_t m_pairs = 0;
};

} // namespace

std::string usersFile()
{
    std::string text = "user_id,external_ref,asset,opening_balance\n";
    for (std::int64_t user = 1; user <= kUsers + kPairs; ++user) {
        const std::string name = std::to_string(user);
        const bool isPair = user >= kFirstPairUser;
        text += name + ",customer-" + name + ",ETH," + (isPair ? "100" : "25.5") + "\n";
        if (!isPair) text += name + ",customer-" + name + ",USDC,40.000001\n";
    }
    return text;
}

std::vector<Message> makeTraffic(const TrafficOptions& options)
{
    return Maker{options}.make();
}

} // namespace demo
