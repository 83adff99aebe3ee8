// LetterDrain: brings copies of dead letters from Redis back into PostgreSQL, one by one.
#pragma once

#include "processor/base/alert.h"
#include "processor/base/metrics.h"
#include "processor/redis/client.h"
#include "processor/store/job_lease.h"
#include "processor/store/letter_copy.h"
#include "processor/store/payment_log.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

namespace watch {

/// What became of one entry.
enum class Drained {
    Failed, // the event was exhausted and unfinished: failed + letter
    EndedBefore, // it had ended meanwhile: the letter is kept as resolved
    WasThere, // the letter itself was written meanwhile
    GoesOn, // the event is being worked on again: kept as one of its failed attempts
    Quarantined, // malformed, forged, or of an event this database does not know
};

struct DrainReport
{
    int drained = 0;
    int failed = 0; // entries that stay; tried again in the next run
    bool isCutShort = false; // too many failures in a row, or out of time
    std::int64_t left = 0; // entries in Redis afterwards

    [[nodiscard]] std::string text() const; // "drained 3, failed 0, 0 left"; empty when idle
};

/// An entry leaves Redis only after PostgreSQL has it: moved to a list of its own, committed, then
/// removed. Whoever dies in between leaves it for the next run, which finds what is done already.
class LetterDrain
{
public:
    LetterDrain(redis::ClientOptions redis, const base::Secret& webhookSecret,
        store::PaymentLog& log, base::Alerter& alerter, base::Metrics& metrics);

    /// First what earlier runs left behind, then the list; at most kDrainBatchMax entries. Stops
    /// after kDrainFailuresMax failures in a row. Error: Redis is away, or the lease is lost.
    base::Result<DrainReport> run(store::JobLease& lease, const std::stop_token& stop);

    /// Entries in both lists.
    base::Result<std::int64_t> count();

    // The steps of run().

    /// Entries that have been taken and not forgotten, oldest first.
    base::Result<std::vector<std::string>> leftBehind();
    /// Takes the oldest entry of the list; empty when there is none.
    base::Result<std::optional<std::string>> take();
    /// One transaction.
    base::Result<Drained> bring(store::JobLease& lease, const std::string& entry);
    base::Status forget(const std::string& entry);

private:
    struct Standing; // where the copy's event stands
    using Found = base::Result<std::optional<Standing>>;

    base::Result<Drained> bringCopy(
        store::JobLease& lease, const store::LetterCopy& copy, const std::string& entry);
    Found look(pg::Transaction& transaction, store::JobLease& lease, const store::LetterCopy& copy);
    base::Result<Drained> failEvent(
        pg::Transaction& transaction, const store::LetterCopy& copy, const Standing& standing);
    base::Result<Drained> quarantine(store::JobLease& lease, const std::string& entry,
        const char* reason, const std::string& detail);
    base::Status putBehind(const std::string& entry);
    base::Status drainOne(
        store::JobLease& lease, const std::string& entry, DrainReport& report, int& failuresInRow);

    redis::Client m_redis;
    const crypto::HmacSha256 m_key;
    store::PaymentLog& m_log;
    base::Alerter& m_alerter;
    base::Counter m_drained;
    base::Counter m_failed;
};

} // namespace watch
