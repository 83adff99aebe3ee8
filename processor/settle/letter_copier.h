// LetterCopier: level 2 and 3 of the dead-letter queue – a copy in Redis, or a line in the log.
#pragma once

#include "processor/base/alert.h"
#include "processor/base/metrics.h"
#include "processor/base/secret.h"
#include "processor/crypto/hmac.h"
#include "processor/redis/client.h"
#include "processor/settle/refused_letters.h"

namespace settle {

/// Nothing depends on these copies – the work row stays –, but whoever restores a database knows
/// what it had refused. Not shared between threads.
class LetterCopier
{
public:
    LetterCopier(redis::ClientOptions redis, const base::Secret& webhookSecret,
        base::Alerter& alerter, base::Metrics& metrics);

    /// Puts a signed copy at the end of dlq:payment_events. When Redis refuses, too: the CRITICAL
    /// line DLQ_UNRECOVERABLE with all of it, once per letter; false then. Its field `entry` is the
    /// very entry for the list.
    bool copy(const RefusedLetter& refused);

private:
    redis::Client m_redis;
    const crypto::HmacSha256 m_key;
    base::Alerter& m_alerter;
    base::Counter m_copied;
    base::Counter m_logged;
};

} // namespace settle
