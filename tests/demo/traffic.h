// Traffic: the webhooks of one demonstration, honest and otherwise, the same for the same seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace demo {

enum class Kind {
    Honest,
    Repeat, // the same bytes as an earlier one
    Conflict, // an earlier id with another amount
    Overdraw, // one of two withdrawals that together exceed the balance
    Forged, // signed with another key
    BadAmount,
    BadBody,
    UnknownUser,
};

struct Message
{
    Kind kind;
    std::string eventId; // empty where there is none to be found in the body
    std::string eventType;
    std::string body;
};

struct TrafficOptions
{
    std::string prefix; // of every event id, so that a kept folder can be used again
    std::size_t count = 4'000; // honest ones; the others come on top
    std::uint64_t seed = 1;
};

inline constexpr std::int64_t kUsers = 200;
inline constexpr std::int64_t kPairs = 10; // users whose two withdrawals together exceed 100 ETH
inline constexpr std::int64_t kFirstPairUser = kUsers + 1;

/// A CSV for `users import`: every user with an opening balance in ETH and in USDC.
std::string usersFile();

std::vector<Message> makeTraffic(const TrafficOptions& options);

} // namespace demo
