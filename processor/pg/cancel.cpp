#include "processor/pg/cancel.h"

#include "processor/base/log.h"

#include <array>
#include <atomic>
#include <condition_variable>
#include <libpq-fe.h>
#include <mutex>
#include <system_error>
#include <thread>

namespace pg {
namespace {

struct FreeCancel
{
    void operator()(PGcancel* raw) const noexcept { PQfreeCancel(raw); }
};

std::atomic<int> runningCancels{0};

} // namespace

struct Cancellation::Request
{
    std::unique_ptr<PGcancel, FreeCancel> raw;
    std::mutex mutex;
    std::condition_variable changed;
    bool finished = false;
    bool delivered = false;

    void perform()
    {
        std::array<char, 256> why{};
        const bool ok = PQcancel(raw.get(), why.data(), static_cast<int>(why.size())) != 0;
        if (!ok) base::logWarning("cancel request failed", {{"error", std::string{why.data()}}});
        const std::scoped_lock lock{mutex};
        finished = true;
        delivered = ok;
        changed.notify_all();
    }
};

Cancellation::Cancellation(pg_conn* raw) : m_request{std::make_shared<Request>()}
{
    m_request->raw.reset(PQgetCancel(raw));
    if (!m_request->raw || runningCancels.fetch_add(1) >= kCancelsAtOnce) {
        if (m_request->raw) runningCancels.fetch_sub(1);
        m_request->finished = true;
        return;
    }
    try {
        std::thread{[request = m_request] {
            request->perform();
            runningCancels.fetch_sub(1);
        }}.detach();
    } catch (const std::system_error&) { // no thread to be had: as if the server did not answer
        runningCancels.fetch_sub(1);
        m_request->finished = true;
    }
}

bool Cancellation::deliveredBy(Deadline deadline)
{
    std::unique_lock lock{m_request->mutex};
    m_request->changed.wait_until(lock, deadline, [this] { return m_request->finished; });
    return m_request->delivered;
}

} // namespace pg
