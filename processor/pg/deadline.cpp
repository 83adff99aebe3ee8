#include "processor/pg/deadline.h"

#include "processor/base/check.h"

#include <algorithm>
#include <cerrno>
#include <poll.h>

namespace pg {
namespace {

constexpr std::chrono::milliseconds kLongestPoll{60'000}; // keeps the int of poll() in range

int pollMillis(Deadline deadline)
{
    if (deadline == kNoDeadline) return -1;
    // Rounded up, or the last millisecond would be spent in a busy loop of zero waits.
    const auto left
        = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    return static_cast<int>(std::clamp(left, std::chrono::milliseconds{0}, kLongestPoll).count());
}

} // namespace

Deadline deadlineAfter(std::chrono::milliseconds limit)
{
    if (limit <= std::chrono::milliseconds{0}) return kNoDeadline;
    return std::chrono::steady_clock::now() + limit;
}

std::string asMillis(std::chrono::milliseconds limit)
{
    return std::to_string(limit.count());
}

Ready waitFor(int descriptor, short events, Deadline deadline)
{
    CHECK(descriptor >= 0);
    for (;;) {
        pollfd wanted{descriptor, events, 0};
        const int count = ::poll(&wanted, 1, pollMillis(deadline));
        if (count > 0) return Ready::Yes;
        if (count < 0) CHECK(errno == EINTR || errno == EAGAIN || errno == ENOMEM);
        if (std::chrono::steady_clock::now() >= deadline) return Ready::TimedOut;
    }
}

} // namespace pg
