#include "processor/daemon/threads.h"

#include "processor/base/check.h"
#include "processor/base/log.h"

#include <algorithm>
#include <exception>
#include <pthread.h>
#include <utility>

namespace processor {

void Threads::start(std::string name, Body body)
{
    CHECK(!name.empty());
    CHECK(name.size() <= 15);
    std::size_t index = 0;
    {
        const std::scoped_lock lock{m_mutex};
        index = m_entries.size();
        m_entries.push_back({name, State::Runs});
    }
    m_threads.emplace_back([this, index, work = std::move(body)](
                               const std::stop_token& stop) { enter(index, work, stop); });
    pthread_setname_np(m_threads.back().native_handle(), name.c_str());
}

void Threads::enter(std::size_t index, const Body& body, const std::stop_token& stop)
{
    std::string reason = "returned without having been asked to";
    try {
        body(stop);
        if (stop.stop_requested()) return mark(index, State::Ended);
    } catch (const std::exception& thrown) {
        reason = thrown.what();
    } catch (...) {
        reason = "threw something that is not an exception";
    }
    mark(index, State::Failed);
    base::logCritical("a thread ended by itself", {{"reason", reason}});
}

void Threads::mark(std::size_t index, State state)
{
    const std::scoped_lock lock{m_mutex};
    m_entries[index].state = state;
    m_ended.notify_all();
}

void Threads::requestStop()
{
    for (std::jthread& thread : m_threads) thread.request_stop();
}

bool Threads::join(std::chrono::milliseconds patience)
{
    std::unique_lock lock{m_mutex};
    const bool done = m_ended.wait_for(lock, patience, [this] {
        return std::ranges::none_of(
            m_entries, [](const Entry& entry) { return entry.state == State::Runs; });
    });
    lock.unlock();
    if (done) m_threads.clear();
    return done;
}

std::vector<std::string> Threads::failed() const
{
    return inState(State::Failed);
}

std::vector<std::string> Threads::running() const
{
    return inState(State::Runs);
}

std::vector<std::string> Threads::inState(State state) const
{
    const std::scoped_lock lock{m_mutex};
    std::vector<std::string> names;
    for (const Entry& entry : m_entries) {
        if (entry.state == state) names.push_back(entry.name);
    }
    return names;
}

} // namespace processor
