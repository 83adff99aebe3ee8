#include "processor/ingest/committer.h"

#include "processor/base/limits.h"
#include "processor/base/log.h"
#include "processor/base/wakeup.h"
#include "processor/ingest/answer.h"
#include "processor/ingest/intake_store.h"
#include "sql/payment_log.h"

#include <algorithm>

namespace ingest {
namespace {

using Clock = std::chrono::steady_clock;
using base::ErrorKind;

constexpr std::chrono::milliseconds kPause{50};

// Worth another try, because time or another order of things heals it.
bool mayHeal(ErrorKind kind)
{
    return kind == ErrorKind::Unavailable || kind == ErrorKind::Conflict
        || kind == ErrorKind::Unknown;
}

// The fault of one row rather than of our schema: a constraint by name, or a value that its type
// does not take. A missing partition also has class 23, but no constraint; and a number that was
// given before (23505: a sequence that went back) is ours, whichever delivery got it.
bool isFaultOfData(const base::Error& error)
{
    return error.kind == ErrorKind::Invalid && error.code != "23505"
        && (error.code.starts_with("22") || !error.constraint.empty());
}

bool isOurs(std::span<const Item> items, const std::unordered_map<std::size_t, KnownEvent>& known,
    const KeyNumbers& numbers)
{
    return std::ranges::any_of(known, [&](const auto& entry) {
        const auto given = numbers.find(asText(items[entry.first].key));
        return given != numbers.end() && given->second == entry.second.eventNo;
    });
}

pg::ConnectOptions withQuickConnect(pg::ConnectOptions options)
{
    options.connectTimeout = std::min(options.connectTimeout, std::chrono::milliseconds{1'000});
    return options;
}

} // namespace

Committer::Committer(
    CommitterOptions options, store::PaymentLog& log, base::Alerter& alerter, Counters& counters)
    : m_database{withQuickConnect(std::move(options.database))}
    , m_chainsWithEndpoint{std::move(options.chainsWithEndpoint)}
    , m_onWork{std::move(options.onWork)}
    , m_gate{options.gate}
    , m_log{log}
    , m_alerter{alerter}
    , m_counters{counters}
{}

void Committer::commit(std::vector<Delivery> deliveries, std::span<const RefusedRow> samples,
    const std::stop_token& stop)
{
    if (deliveries.empty() && samples.empty()) return;
    std::vector<Item> items;
    items.reserve(deliveries.size());
    for (Delivery& delivery : deliveries) items.emplace_back(std::move(delivery));
    // While the database is away each gathering tries once, or the line behind it would only grow.
    const Time giveUp = Clock::now()
        + (m_isAway || items.empty() ? std::chrono::milliseconds{0} : base::kIntakePatience);
    commitPart(items, samples, giveUp, stop);
}

void Committer::commitPart(std::span<Item> items, std::span<const RefusedRow> samples, Time giveUp,
    const std::stop_token& stop)
{
    const auto done = tryUntil(items, samples, giveUp, stop);
    if (done) {
        m_isAway = false;
        answerAll(items);
        return;
    }
    const base::Error& error = done.error();
    m_isAway = error.kind == ErrorKind::Unavailable || error.kind == ErrorKind::Unknown;
    if (!isFaultOfData(error)) return refuseAll(items, error);
    if (items.size() > 1) {
        const std::size_t half = items.size() / 2;
        commitPart(items.first(half), samples, giveUp, stop);
        commitPart(items.subspan(half), {}, giveUp, stop);
        return;
    }
    if (items.empty() || items.front().isCulprit) return refuseAll(items, error);
    const base::TraceScope trace{items.front().delivery.traceId};
    m_alerter.raise(base::AlertLevel::Critical, "intake_data_error",
        "PostgreSQL refused the data of a delivery that intake had found good: " + error.message);
    items.front().isCulprit = true;
    commitPart(items, samples, giveUp, stop);
}

base::Status Committer::tryUntil(std::span<Item> items, std::span<const RefusedRow> samples,
    Time giveUp, const std::stop_token& stop)
{
    std::optional<Unanswered> unanswered;
    base::Wakeup pause;
    for (;;) {
        const Time begun = Clock::now();
        auto done = attempt(items, samples, unanswered);
        const auto took = Clock::now() - begun;
        if (m_gate != nullptr) m_gate->noteCommit(took, static_cast<bool>(done));
        if (done) {
            m_counters.commitSeconds.observe(took);
            m_counters.gathering.observe(static_cast<std::int64_t>(items.size()));
            return done;
        }
        if (!mayHeal(done.error().kind)) return done;
        if (Clock::now() >= giveUp || stop.stop_requested()) return done;
        (void)pause.waitFor(kPause, stop);
    }
}

base::Status Committer::attempt(std::span<Item> items, std::span<const RefusedRow> samples,
    std::optional<Unanswered>& unanswered)
{
    const auto connection = m_database.get();
    if (!connection) return connection.error();
    // A commit that may be there already is looked for as it was judged. Judged anew, a delivery it
    // refused could pass (its user has come meanwhile), and its key would be committed here while
    // its event is not: every later delivery of it a duplicate of nothing.
    if (!unanswered) {
        if (const auto ready = prepare(**connection, items); !ready) return ready.error();
    }

    pg::Transaction transaction{**connection};
    const auto inserted = insertKeys(transaction, leaders(items));
    if (!inserted) return inserted.error();
    const auto known = readKnown(transaction, items, *inserted);
    if (!known) return known.error();
    if (unanswered && isOurs(items, *known, unanswered->numbers)) {
        return proveCommitted(transaction, items, *unanswered);
    }
    decide(items, *inserted, *known);
    auto written = write(transaction, items, samples);
    if (!written && written.error().kind == ErrorKind::Unknown) {
        unanswered = Unanswered{*inserted, {}};
        for (const Item& item : items) {
            unanswered->verdicts.emplace_back(item.verdict, item.eventNo);
        }
    }
    return written;
}

base::Status Committer::prepare(pg::Connection& connection, std::span<Item> items)
{
    std::vector<const Claimed*> claims;
    for (const Item& item : items) {
        if (const auto* claimed = std::get_if<Claimed>(&item.delivery.content)) {
            claims.push_back(claimed);
        }
    }
    if (!claims.empty()) {
        if (const auto read = m_reference.prepare(connection, claims, Clock::now()); !read) {
            return read.error();
        }
    }
    judge(items, m_reference);
    return base::Done{};
}

base::Status Committer::write(
    pg::Transaction& transaction, std::span<Item> items, std::span<const RefusedRow> samples)
{
    addWrites(transaction, items, samples);
    const auto entries = logEntries(items);
    if (!entries.empty()) {
        if (const auto sent = transaction.send(); !sent) return sent.error();
        m_log.appendTo(transaction, entries);
    }
    const auto committed = transaction.commit();
    if (!committed) return committed.error();
    if (!entries.empty()) {
        m_log.committed(committed->back(), entries.size());
        if (m_onWork) m_onWork();
    }
    return base::Done{};
}

// The earlier commit is there, all of it or nothing. But visible is not yet safe: it may wait for
// its synchronous standby. A commit of ours behind it in the log proves that; a row lock is enough
// to make one.
base::Status Committer::proveCommitted(
    pg::Transaction& transaction, std::span<Item> items, const Unanswered& unanswered)
{
    transaction.add(sql::kLogTailLock);
    if (const auto committed = transaction.commit(); !committed) return committed.error();
    for (std::size_t i = 0; i < items.size(); ++i) {
        std::tie(items[i].verdict, items[i].eventNo) = unanswered.verdicts[i];
    }
    if (m_onWork) m_onWork();
    return base::Done{};
}

void Committer::answerAll(std::span<Item> items)
{
    for (Item& item : items) {
        const std::string& traceId = item.delivery.traceId;
        http::Response response;
        switch (item.verdict) {
        case Verdict::Accepted:
        case Verdict::Duplicate:
            m_counters.count(item.verdict);
            response = answerOf(item.verdict, traceId);
            break;
        case Verdict::Conflict:
            m_counters.count(Reason::Conflict);
            response
                = answerOf(Refused{Reason::Conflict,
                               "this event_id and event_type came before and said something else"},
                    traceId);
            break;
        case Verdict::Quarantined:
            m_counters.count(item.refused->reason);
            response = answerOf(*item.refused, traceId);
            break;
        }
        item.delivery.responder.send(std::move(response));
        tellPeople(item);
    }
}

void Committer::refuseAll(std::span<Item> items, const base::Error& error)
{
    base::logError("deliveries could not be written",
        {{"deliveries", static_cast<std::int64_t>(items.size())}, {"error", error.message},
            {"code", error.code}});
    if (!mayHeal(error.kind)) {
        m_alerter.raise(base::AlertLevel::Critical, "intake_broken",
            "intake cannot write and no retry will help: " + error.message);
    }
    for (Item& item : items) {
        m_counters.count(Reason::Unavailable);
        item.delivery.responder.send(
            answerOf(Refused{Reason::Unavailable, "the delivery could not be written now"},
                item.delivery.traceId));
    }
}

void Committer::tellPeople(const Item& item)
{
    const base::TraceScope trace{item.delivery.traceId};
    if (item.refused) {
        base::logWarning("delivery quarantined",
            {{"reason", std::string{rowOf(item.refused->reason).code}},
                {"detail", item.refused->detail}});
        return;
    }
    const Claimed& claimed = item.claimed();
    if (item.verdict == Verdict::Conflict) {
        m_conflicts.tell(item.delivery.source->name, claimed.eventId);
    }
    if (item.verdict == Verdict::Accepted && item.waitsForFinality()
        && !m_chainsWithEndpoint.contains(*item.chain)) {
        m_alerter.raise(base::AlertLevel::Warning, "chain_endpoint_missing:" + *item.chain,
            "credits of " + *item.chain + " wait, because no endpoint of it is configured");
    }
}

} // namespace ingest
