// The state machine of a payment event: one table of legal moves and the one function that judges.
#pragma once

#include "processor/base/check.h"

#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace domain {

enum class EventState { Pending, Enqueued, Processing, Confirmed, Failed };

enum class Mover {
    Processor,
    ApprovedReplay, // an operator's replay that a second person approved
};

struct Move
{
    EventState from;
    EventState to;
    Mover mover;
};

// What is not in this table cannot happen. SQL, documents and console are compared with it.
inline constexpr std::array kMoves{
    Move{EventState::Pending, EventState::Enqueued, Mover::Processor}, // dispatched
    Move{EventState::Pending, EventState::Failed, Mover::Processor}, // waited in vain
    Move{EventState::Enqueued, EventState::Processing, Mover::Processor}, // taken by a worker
    Move{EventState::Enqueued, EventState::Failed, Mover::Processor}, // refused or exhausted
    Move{EventState::Enqueued, EventState::Pending, Mover::Processor}, // has to wait again
    Move{EventState::Enqueued, EventState::Confirmed, Mover::Processor}, // settled from the queue
    Move{EventState::Processing, EventState::Confirmed, Mover::Processor},
    Move{EventState::Processing, EventState::Failed, Mover::Processor},
    // The only way out of an end, and only through begin_replay_item.
    Move{EventState::Failed, EventState::Pending, Mover::ApprovedReplay},
};

inline constexpr std::array kEventStates{
    std::pair{EventState::Pending, std::string_view{"pending"}},
    std::pair{EventState::Enqueued, std::string_view{"enqueued"}},
    std::pair{EventState::Processing, std::string_view{"processing"}},
    std::pair{EventState::Confirmed, std::string_view{"confirmed"}},
    std::pair{EventState::Failed, std::string_view{"failed"}},
};

/** The public name: `enqueued`. */
constexpr std::string_view toText(EventState state)
{
    return kEventStates[static_cast<std::size_t>(state)].second;
}

/** Exact match only. */
constexpr std::optional<EventState> eventStateFromText(std::string_view text)
{
    for (const auto& [state, name] : kEventStates) {
        if (name == text) {
            return state;
        }
    }
    return std::nullopt;
}

/** Whether the table has this edge for this mover. */
constexpr bool mayMove(EventState from, EventState to, Mover mover)
{
    for (const Move& move : kMoves) {
        if (move.from == from && move.to == to && move.mover == mover) {
            return true;
        }
    }
    return false;
}

/** No processor moves an event on from here. */
constexpr bool isTerminal(EventState state)
{
    for (const Move& move : kMoves) {
        if (move.from == state && move.mover == Mover::Processor) {
            return false;
        }
    }
    return true;
}

/** What became of an attempt to move an event on. */
enum class MoveOutcome {
    Moved,
    AlreadyThere, // somebody else did the same: fine
    AlreadyProcessed, // it has ended: leave it
    Retry, // it is somewhere unexpected: read again, try again
};

/**
 * Judges the move `from` → `to` of an event that is found in state `current`. A pair that is not in
 * the table is a bug of the caller and ends the process.
 */
constexpr MoveOutcome judgeMove(EventState current, EventState from, EventState to, Mover mover)
{
    CHECK(mayMove(from, to, mover));
    if (current == from) {
        return MoveOutcome::Moved;
    }
    if (current == to) {
        return MoveOutcome::AlreadyThere;
    }
    return isTerminal(current) ? MoveOutcome::AlreadyProcessed : MoveOutcome::Retry;
}

} // namespace domain
