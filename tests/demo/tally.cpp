#include "tests/demo/tally.h"

namespace demo {

void Tally::accepted(const EventKey& key)
{
    const std::scoped_lock lock{m_mutex};
    ++m_answered;
    if (!m_accepted.insert(key).second) ++m_answers.unexpected["accepted twice"];
    // The answer to a repeat may have overtaken this one.
    if (!m_answers.events.insert(key).second) ++m_answers.duplicates;
}

// Without an "accepted" before it, the answer to the first is still on its way or was lost with a
// 503: either way this 200 says that the event is committed.
void Tally::duplicate(const EventKey& key)
{
    const std::scoped_lock lock{m_mutex};
    ++m_answered;
    if (!m_answers.events.insert(key).second) ++m_answers.duplicates;
}

void Tally::refused(const std::string& code)
{
    const std::scoped_lock lock{m_mutex};
    ++m_answered;
    ++m_answers.refused;
    ++m_answers.refusedBy[code];
}

void Tally::tryAgain()
{
    const std::scoped_lock lock{m_mutex};
    ++m_answers.tryAgain;
}

void Tally::unexpected(const std::string& what)
{
    const std::scoped_lock lock{m_mutex};
    ++m_answered;
    ++m_answers.unexpected[what];
}

std::int64_t Tally::answered() const
{
    const std::scoped_lock lock{m_mutex};
    return m_answered;
}

Answers Tally::answers() const
{
    const std::scoped_lock lock{m_mutex};
    return m_answers;
}

} // namespace demo
