// Providers that deliver signed events until each is answered, to whoever listens at the moment.
#pragma once

#include "processor/base/secret.h"
#include "tests/support/webhook.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace torture {

/// Makes turn number `turn` (0…) of all senders together: events of which each is sent once the one
/// before it was answered 200.
using Turn = std::function<std::vector<support::Payment>(std::int64_t turn)>;

/// A deposit and, after it, a withdrawal of the same amount, on accounts 1…users. Half of the pairs
/// go to accounts of their own as long as there are enough, half meet on ten.
[[nodiscard]] Turn pairsOf(std::int64_t users);
/// Deposits of 1 to users 1…users, every third through a merchant.
[[nodiscard]] Turn depositsTo(std::int64_t users);

class Crowd
{
public:
    /// Starts to send; ends by itself after `turns`, if that is given.
    Crowd(base::Secret secret, int senders, Turn turn, std::optional<std::int64_t> turns = {});
    ~Crowd() { stop(); }
    Crowd(const Crowd&) = delete;
    Crowd& operator=(const Crowd&) = delete;

    /// HOST:PORT of those who listen; an event that was not answered goes to another one next.
    void aim(std::vector<std::string> addresses);
    void stop();
    /// True once all turns are done.
    [[nodiscard]] bool isDone();

    [[nodiscard]] std::int64_t finishedTurns();
    /// Ids of events that were answered 200, accepted or duplicate.
    [[nodiscard]] std::vector<std::string> promised();
    /// How often each status was answered; 0 is no answer at all.
    [[nodiscard]] std::map<int, std::int64_t> statuses();
    /// The longest time from the first try of an event to its 200.
    [[nodiscard]] std::chrono::milliseconds longestWait();

private:
    class Lines;
    void run(const std::stop_token& stop, int sender);
    bool deliver(const std::stop_token& stop, Lines& lines, const support::Payment& payment,
        std::size_t first);
    std::string addressOf(std::size_t choice);

    base::Secret m_secret;
    Turn m_turn;
    std::optional<std::int64_t> m_turns;
    std::mutex m_mutex; // guards what follows
    std::vector<std::string> m_addresses;
    std::int64_t m_begun = 0;
    std::int64_t m_finished = 0;
    std::vector<std::string> m_promised;
    std::map<int, std::int64_t> m_statuses;
    std::chrono::milliseconds m_longest{0};
    std::vector<std::jthread> m_threads; // last: use all of the above
};

} // namespace torture
