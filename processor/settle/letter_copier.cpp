#include "processor/settle/letter_copier.h"

#include "processor/base/log.h"
#include "processor/store/letter_copy.h"

#include <utility>

namespace settle {
namespace {

store::LetterCopy copyOf(const RefusedLetter& refused)
{
    const domain::Event& event = refused.event;
    const Letter& letter = refused.letter;
    return {.uid = letter.uid,
        .no = letter.no,
        .eventId = event.eventId,
        .eventType = event.typeText,
        .user = event.user,
        .asset = event.asset,
        .amount = event.amount.toText(),
        .merchant = event.merchant,
        .failure = refused.failure,
        .error = letter.error,
        .errorClass = letter.errorClass,
        .cause = letter.cause,
        .attempt = letter.attempt,
        .traceId = event.traceId};
}

void logWhole(const store::LetterCopy& copy, const std::string& entry, const std::string& reason)
{
    base::logCritical("DLQ_UNRECOVERABLE",
        {{"letter_uid", copy.uid}, {"event_no", copy.no.value()}, {"event_id", copy.eventId},
            {"event_type", copy.eventType}, {"user_id", copy.user.value()}, {"asset", copy.asset},
            {"amount", copy.amount}, {"merchant_id", copy.merchant.value_or("")},
            {"failure", std::string{domain::toText(copy.failure)}}, {"error", copy.error},
            {"error_class", copy.errorClass}, {"cause", copy.cause},
            {"attempt", std::int64_t{copy.attempt}}, {"redis", reason}, {"entry", entry}});
}

} // namespace

LetterCopier::LetterCopier(redis::ClientOptions redis, const base::Secret& webhookSecret,
    base::Alerter& alerter, base::Metrics& metrics)
    : m_redis{std::move(redis)}
    , m_key{store::letterKey(webhookSecret)}
    , m_alerter{alerter}
    , m_copied{metrics.counter("countersign_letter_copies_total",
          "Dead letters that PostgreSQL refused, by where their copy is.", {{"level", "redis"}})}
    , m_logged{metrics.counter("countersign_letter_copies_total",
          "Dead letters that PostgreSQL refused, by where their copy is.", {{"level", "log"}})}
{}

bool LetterCopier::copy(const RefusedLetter& refused)
{
    const base::TraceScope trace{refused.event.traceId};
    const store::LetterCopy copy = copyOf(refused);
    const std::string entry = store::writeLetterCopy(copy, m_key);
    const auto pushed = m_redis.run({"RPUSH", store::kLetterList, entry});
    if (pushed) {
        m_copied.add();
        m_alerter.raise(base::AlertLevel::Warning, "dlq_level_2",
            "PostgreSQL refused the dead letter of event " + copy.eventId
                + "; a copy waits in Redis");
        return true;
    }
    if (refused.isFirst) {
        m_logged.add();
        logWhole(copy, entry, pushed.error().message);
        m_alerter.raise(base::AlertLevel::Critical, "dlq_unrecoverable",
            "neither PostgreSQL nor Redis took the dead letter of event " + copy.eventId
                + "; it stands in the log, its work row stays");
    }
    return false;
}

} // namespace settle
