// WaitingLine: a bounded queue whose taker gets all that gathered while it was away.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <stop_token>
#include <utility>
#include <vector>

namespace ingest {

/// Any number of threads offer, one takes. First in, first out.
template <class T>
class WaitingLine
{
public:
    WaitingLine(std::size_t most, std::size_t mostOctets) : m_most{most}, m_mostOctets{mostOctets}
    {}

    /// Never blocks. False when full; `item` is then left as it was.
    bool offer(T&& item, std::size_t octets)
    {
        {
            const std::scoped_lock lock{m_mutex};
            if (m_items.size() >= m_most || m_octets + octets > m_mostOctets) return false;
            m_octets += octets;
            m_items.emplace_back(std::move(item), octets);
        }
        m_changed.notify_one();
        return true;
    }

    /// Lets take() return although nothing is there.
    void wake()
    {
        {
            const std::scoped_lock lock{m_mutex};
            m_isWoken = true;
        }
        m_changed.notify_one();
    }

    /// The oldest items, at most so many and so many octets (but one at least); waits for the first
    /// until woken, stopped or `patience` has passed.
    std::vector<T> take(std::size_t most, std::size_t mostOctets, std::chrono::nanoseconds patience,
        const std::stop_token& stop)
    {
        std::vector<T> taken;
        std::unique_lock lock{m_mutex};
        m_changed.wait_for(lock, stop, patience, [this] { return !m_items.empty() || m_isWoken; });
        m_isWoken = false;
        std::size_t octets = 0;
        while (!m_items.empty() && taken.size() < most) {
            octets += m_items.front().second;
            if (!taken.empty() && octets > mostOctets) break;
            m_octets -= m_items.front().second;
            taken.push_back(std::move(m_items.front().first));
            m_items.pop_front();
        }
        return taken;
    }

    [[nodiscard]] std::size_t depth() const
    {
        const std::scoped_lock lock{m_mutex};
        return m_items.size();
    }

private:
    const std::size_t m_most;
    const std::size_t m_mostOctets;
    mutable std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::deque<std::pair<T, std::size_t>> m_items;
    std::size_t m_octets = 0;
    bool m_isWoken = false;
};

} // namespace ingest
