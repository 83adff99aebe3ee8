// BatchSize: how many events the next batch may take; halves down to a culprit, then grows.
#pragma once

#include "processor/base/check.h"

#include <algorithm>

namespace settle {

/// A batch is always the front of the queue, so cutting it in half keeps the order of receipt: the
/// front half is next, and the culprit stands alone in front after at most log2(most) batches.
class BatchSize
{
public:
    explicit BatchSize(int most) : m_most{most}, m_now{most} { CHECK(most > 0); }

    [[nodiscard]] int now() const { return m_now; }
    void failed(int events) { m_now = std::max(1, std::min(m_now, events) / 2); }
    void succeeded() { m_now = std::min(m_most, m_now * 2); }

private:
    int m_most;
    int m_now;
};

} // namespace settle
