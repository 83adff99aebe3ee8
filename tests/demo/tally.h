// Tally: what the processor answered, and which events it owes an outcome.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>

namespace demo {

using EventKey = std::pair<std::string, std::string>; // event id and type: together the identity

struct Answers
{
    std::set<EventKey> events; // answered 200: each is owed exactly one outcome
    std::int64_t duplicates = 0; // 200 for an event that another 200 stands for
    std::int64_t refused = 0;
    std::map<std::string, std::int64_t> refusedBy;
    std::int64_t tryAgain = 0; // 503 and broken connections, sent again
    std::map<std::string, std::int64_t> unexpected; // empty when all is right
};

/// Thread-safe.
class Tally
{
public:
    void accepted(const EventKey& key);
    void duplicate(const EventKey& key);
    void refused(const std::string& code);
    void tryAgain();
    void unexpected(const std::string& what);

    [[nodiscard]] std::int64_t answered() const;
    [[nodiscard]] Answers answers() const;

private:
    mutable std::mutex m_mutex;
    Answers m_answers;
    std::set<EventKey> m_accepted; // by the word "accepted": never twice
    std::int64_t m_answered = 0;
};

} // namespace demo
