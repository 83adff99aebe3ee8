#include "processor/watch/letter_drain.h"

#include "lua/dlq.h"
#include "processor/base/hex.h"
#include "processor/base/json_writer.h"
#include "processor/base/limits.h"
#include "processor/base/log.h"
#include "processor/crypto/sha256.h"
#include "processor/domain/lane.h"
#include "processor/domain/log_kind.h"
#include "sql/attempts.h"
#include "sql/drain.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

namespace watch {
namespace {

using Clock = std::chrono::steady_clock;
using base::ErrorKind;
using base::Result;

constexpr std::size_t kQuarantineBodyMax = 1'048'576;
constexpr const char* kEndedBefore = "already ended";

base::Status statusOf(const Result<redis::Reply>& reply)
{
    if (!reply) return reply.error();
    return base::Done{};
}

pg::Params letterParams(
    const store::LetterCopy& copy, std::string_view error, std::string_view state)
{
    pg::Params params;
    params.bigint(copy.no.value()).text(copy.uid).text(error).text(copy.errorClass);
    params.text(copy.cause).smallint(static_cast<std::int16_t>(copy.attempt)).text(state);
    return params;
}

base::Status committed(pg::Transaction& transaction)
{
    if (const auto done = transaction.commit(); !done) return done.error();
    return base::Done{};
}

Result<Drained> ifDone(const base::Status& status, Drained drained)
{
    if (!status) return status.error();
    return drained;
}

} // namespace

struct LetterDrain::Standing
{
    store::LogEntry event; // without kind
    bool hasEnded = false;
    bool hasLetter = false;
    bool isExhausted = false;
};

std::string DrainReport::text() const
{
    if (drained == 0 && failed == 0) return {};
    return "drained " + std::to_string(drained) + ", failed " + std::to_string(failed) + ", "
        + std::to_string(left) + " left" + (isCutShort ? ", stopped early" : "");
}

LetterDrain::LetterDrain(redis::ClientOptions redis, const base::Secret& webhookSecret,
    store::PaymentLog& log, base::Alerter& alerter, base::Metrics& metrics)
    : m_redis{std::move(redis)}
    , m_key{store::letterKey(webhookSecret)}
    , m_log{log}
    , m_alerter{alerter}
    , m_drained{metrics.counter("countersign_letter_copies_drained_total",
          "Copies of dead letters brought back from Redis.")}
    , m_failed{metrics.counter("countersign_letter_copies_failed_total",
          "Attempts to bring back a copy of a dead letter that failed.")}
{}

Result<std::int64_t> LetterDrain::count()
{
    std::int64_t entries = 0;
    for (const std::string_view list : {store::kDrainingList, store::kLetterList}) {
        const auto length = m_redis.run({"LLEN", list});
        if (!length) return length.error();
        entries += length->integer;
    }
    return entries;
}

Result<std::vector<std::string>> LetterDrain::leftBehind()
{
    static const std::string last = std::to_string(base::kDrainBatchMax - 1);
    auto reply = m_redis.run({"LRANGE", store::kDrainingList, "0", last});
    if (!reply) return reply.error();
    std::vector<std::string> entries;
    for (redis::Reply& item : reply->items) entries.push_back(std::move(item.text));
    return entries;
}

Result<std::optional<std::string>> LetterDrain::take()
{
    auto reply = m_redis.run({"LMOVE", store::kLetterList, store::kDrainingList, "LEFT", "RIGHT"});
    if (!reply) return reply.error();
    if (reply->type == redis::Reply::Type::Nil) return std::optional<std::string>{};
    return std::optional{std::move(reply->text)};
}

base::Status LetterDrain::forget(const std::string& entry)
{
    return statusOf(m_redis.run({"LREM", store::kDrainingList, "1", entry}));
}

// Behind all others, so that a handful of entries that cannot be brought back do not stand before
// the rest in every run.
base::Status LetterDrain::putBehind(const std::string& entry)
{
    return statusOf(m_redis.runScript(lua::kDlqPutBehind,
        {std::string{store::kDrainingList}, std::string{store::kLetterList}}, {entry}));
}

Result<DrainReport> LetterDrain::run(store::JobLease& lease, const std::stop_token& stop)
{
    const auto until = Clock::now() + base::kDrainTimeMax;
    const auto earlier = leftBehind();
    if (!earlier) return earlier.error();
    const auto there = count();
    if (!there) return there.error();
    // Each once: what fails goes to the end of the list.
    const auto most = std::min<std::int64_t>(*there, base::kDrainBatchMax);
    DrainReport report;
    int failuresInRow = 0;
    for (std::int64_t i = 0; i < most && !stop.stop_requested(); ++i) {
        if (failuresInRow >= base::kDrainFailuresMax || Clock::now() >= until) {
            report.isCutShort = true;
            break;
        }
        std::optional<std::string> entry;
        if (static_cast<std::size_t>(i) < earlier->size()) {
            entry = (*earlier)[static_cast<std::size_t>(i)];
        } else {
            auto taken = take();
            if (!taken) return taken.error();
            entry = std::move(*taken);
        }
        if (!entry) break;
        if (const auto done = drainOne(lease, *entry, report, failuresInRow); !done) {
            return done.error();
        }
    }
    const auto left = count();
    if (!left) return left.error();
    report.left = *left;
    return report;
}

base::Status LetterDrain::drainOne(
    store::JobLease& lease, const std::string& entry, DrainReport& report, int& failuresInRow)
{
    const auto brought = bring(lease, entry);
    if (brought) {
        failuresInRow = 0;
        ++report.drained;
        m_drained.add();
        return forget(entry);
    }
    if (brought.error().code == store::kLeaseLost) return brought.error();
    ++failuresInRow;
    ++report.failed;
    m_failed.add();
    base::logWarning("a dead letter stays in Redis", {{"error", brought.error().message}});
    return putBehind(entry);
}

Result<Drained> LetterDrain::bring(store::JobLease& lease, const std::string& entry)
{
    const auto copy = store::readLetterCopy(entry, m_key);
    if (const auto* fault = std::get_if<store::EntryFault>(&copy)) {
        const bool isForged = *fault == store::EntryFault::Forged;
        return isForged ? quarantine(lease, entry, "dlq_entry_forged", "the signature does not fit")
                        : quarantine(lease, entry, "dlq_entry_malformed", "not an entry of ours");
    }
    const auto& letter = *std::get_if<store::LetterCopy>(&copy);
    const base::TraceScope trace{letter.traceId};
    return bringCopy(lease, letter, entry);
}

Result<Drained> LetterDrain::bringCopy(
    store::JobLease& lease, const store::LetterCopy& copy, const std::string& entry)
{
    pg::Transaction transaction{lease.connection()};
    const auto standing = look(transaction, lease, copy);
    if (!standing) return standing.error();
    if (!*standing) {
        transaction.rollback();
        return quarantine(lease, entry, "dlq_entry_unknown_event",
            "event number " + std::to_string(copy.no.value()) + " is not this event here");
    }
    if ((*standing)->hasLetter) return Drained::WasThere;
    if ((*standing)->hasEnded) {
        transaction.add(sql::kDrainWriteLetter, letterParams(copy, kEndedBefore, "resolved"));
        return ifDone(committed(transaction), Drained::EndedBefore);
    }
    if ((*standing)->isExhausted) return failEvent(transaction, copy, **standing);
    pg::Params attempt;
    attempt.bigint(copy.no.value()).smallint(static_cast<std::int16_t>(copy.attempt));
    attempt.text(copy.error).text(copy.errorClass).text(copy.cause);
    transaction.add(sql::kAttemptNote, std::move(attempt));
    return ifDone(committed(transaction), Drained::GoesOn);
}

// The lane first: under its lock nobody settles the event, and its work row stays where it is.
LetterDrain::Found LetterDrain::look(
    pg::Transaction& transaction, store::JobLease& lease, const store::LetterCopy& copy)
{
    lease.addCheck(transaction);
    const std::int64_t lane = domain::laneOf(copy.user).value();
    transaction.add(sql::kDrainLockLane, std::move(pg::Params{}.bigint(lane)));
    const auto locked = transaction.send();
    if (!locked) return locked.error();
    if (const auto held = store::JobLease::checked(locked->front()); !held) return held.error();

    transaction.add(
        sql::kDrainRead, std::move(pg::Params{}.bigint(copy.no.value()).text(copy.uid)));
    const auto read = transaction.send();
    if (!read) return read.error();
    const pg::Rows& rows = read->front();
    if (rows.empty() || rows.text(0, 0) != copy.eventId || rows.text(0, 1) != copy.eventType
        || rows.bigint(0, 2) != copy.user.value()) {
        return std::optional<Standing>{};
    }
    Standing standing;
    standing.event = {.eventNo = copy.no.value(),
        .kind = {},
        .traceId = std::string{rows.text(0, 6)},
        .paymentId = copy.eventId,
        .eventType = copy.eventType,
        .userId = copy.user.value(),
        .merchantId = rows.textOrNull(0, 5),
        .asset = std::string{rows.text(0, 3)},
        .amount = std::string{rows.text(0, 4)}};
    standing.hasEnded = !rows.isNull(0, 7);
    standing.hasLetter = rows.boolean(0, 10);
    // The very attempt that the copy tells of, or one that was started anew since?
    const auto attempts = rows.bigintOrNull(0, 8);
    standing.isExhausted = attempts ? *attempts + 1 >= copy.attempt : !rows.boolean(0, 9);
    return std::optional{std::move(standing)};
}

Result<Drained> LetterDrain::failEvent(
    pg::Transaction& transaction, const store::LetterCopy& copy, const Standing& standing)
{
    pg::Params number;
    number.bigint(copy.no.value());
    pg::Params end = number;
    end.text(domain::toText(copy.failure));
    transaction.add(sql::kDrainEndEvent, std::move(end));
    transaction.add(sql::kDrainNotify, number);
    transaction.add(sql::kDrainWriteLetter, letterParams(copy, copy.error, "open"));
    transaction.add(sql::kDrainDeleteWork, number);
    const auto written = transaction.send();
    if (!written) return written.error();
    if (written->front().affected() != 1 || (*written)[2].affected() != 1) {
        return base::Error{ErrorKind::Conflict, "drain_end_event: the event has moved"};
    }
    std::array<store::LogEntry, 2> lines{standing.event, standing.event};
    lines[0].kind = domain::toText(domain::LogKind::Failed);
    lines[1].kind = domain::toText(domain::LogKind::DeadLettered);
    lines[0].detail = base::JsonWriter{}
                          .beginObject()
                          .field("failure", domain::toText(copy.failure))
                          .endObject()
                          .take();
    lines[1].detail = lines[0].detail;
    m_log.appendTo(transaction, lines);
    const auto done = transaction.commit();
    if (!done) return done.error();
    m_log.committed(done->back(), lines.size());
    return Drained::Failed;
}

Result<Drained> LetterDrain::quarantine(
    store::JobLease& lease, const std::string& entry, const char* reason, const std::string& detail)
{
    pg::Transaction transaction{lease.connection()};
    lease.addCheck(transaction);
    const auto checked = transaction.send();
    if (!checked) return checked.error();
    if (const auto held = store::JobLease::checked(checked->front()); !held) return held.error();

    const auto hash = crypto::sha256(entry);
    const bool isWhole = entry.size() <= kQuarantineBodyMax;
    const std::string note
        = isWhole ? detail : detail + ", the first MiB of " + std::to_string(entry.size());
    pg::Params params;
    params.text(reason).text(note).bytea(hash);
    params.bytea(base::asBytes(std::string_view{entry}.substr(0, kQuarantineBodyMax)));
    transaction.add(sql::kDrainQuarantine, std::move(params));
    if (const auto done = transaction.commit(); !done) return done.error();
    m_alerter.raise(base::AlertLevel::Warning, reason,
        std::string{"an entry of "} + std::string{store::kLetterList}
            + " was quarantined: " + detail);
    return Drained::Quarantined;
}

} // namespace watch
