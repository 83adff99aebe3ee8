// RefusedLetters: remembers which dead letters PostgreSQL refused, so that each is copied once.
#pragma once

#include "processor/base/result.h"
#include "processor/domain/event.h"
#include "processor/settle/letter.h"

#include <functional>
#include <map>
#include <string>

namespace settle {

struct RefusedLetter
{
    const domain::Event& event;
    domain::Failure failure; // what the event was to end as
    const Letter& letter;
    bool isFirst; // false: the same letter as before, which nobody could take then
};

/// Takes care of a copy; true when it is safe somewhere. The work row stays until PostgreSQL has
/// the letter itself.
using LetterRefused = std::function<bool(const RefusedLetter&)>;

/// One settler's memory; forgetting it costs one more copy and nothing else.
class RefusedLetters
{
public:
    explicit RefusedLetters(LetterRefused onRefused) : m_onRefused{std::move(onRefused)} {}

    /// Another try of the same attempt writes the same letter: it gets the uid of the first one.
    void recognise(Letter& letter) const;
    /// The letter's transaction failed. Somebody in the way is no refusal, nor is a server that was
    /// away before it began.
    void refused(const domain::Event& event, domain::Failure failure, const Letter& letter,
        const base::Error& error);
    void written(domain::EventNo no) { m_known.erase(no); }

private:
    struct Known
    {
        int attempt;
        std::string uid;
        bool isSafe;
    };

    LetterRefused m_onRefused;
    std::map<domain::EventNo, Known> m_known;
};

} // namespace settle
