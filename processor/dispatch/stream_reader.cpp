#include "processor/dispatch/stream_reader.h"

#include "processor/base/log.h"
#include "processor/base/wakeup.h"
#include "processor/dispatch/backoff.h"
#include "processor/domain/log_kind.h"
#include "sql/stream_reader.h"

#include <algorithm>
#include <map>
#include <utility>

namespace dispatch {
namespace {

using namespace std::chrono_literals;

// Beyond this the reader waits for settlement instead of taking more: what it holds costs memory
// here and in Redis, and the stream keeps the rest.
constexpr std::size_t kHeldMax = 5'000;
constexpr std::size_t kAskMax = 1'000;
constexpr std::chrono::milliseconds kPatienceLeast{10};
constexpr std::chrono::milliseconds kPatienceMost{500};
constexpr std::string_view kFirstPage = "0-0";

bool isEnqueued(const DeliveredEntry& entry)
{
    return entry.event == domain::toText(domain::LogKind::Enqueued);
}

pg::Params numbersAndBounds(const std::vector<std::int64_t>& numbers)
{
    const auto [least, most] = std::ranges::minmax(numbers);
    pg::Params params;
    params.bigintArray(numbers).bigint(least).bigint(most); // the bounds prune partitions
    return params;
}

// Ends a blocking read from outside. Tried for a moment, because the read may not have begun yet;
// without success it ends by itself after its BLOCK.
class Unblock
{
public:
    Unblock(const redis::ClientOptions& options, std::string connection, std::atomic<bool>& blocked)
        : m_options{options}
        , m_connection{std::move(connection)}
        , m_blocked{blocked}
    {
        m_options.connectTimeout = 200ms;
        m_options.commandTimeout = 200ms;
    }

    void operator()() const
    {
        redis::Client client{m_options};
        base::Wakeup never;
        for (int attempt = 0; attempt < 40 && m_blocked.load(); ++attempt) {
            const auto reply = client.run({"CLIENT", "UNBLOCK", m_connection});
            if (!reply || reply->integer == 1) return;
            (void)never.waitFor(5ms, {});
        }
    }

private:
    redis::ClientOptions m_options;
    std::string m_connection;
    std::atomic<bool>& m_blocked;
};

} // namespace

StreamReader::StreamReader(ReaderOptions options, base::Metrics& metrics)
    : m_options{std::move(options)}
    , m_database{m_options.database}
    , m_group{m_options.redis, std::string{kStream}, m_options.group, m_options.consumer}
    , m_acknowledged{metrics.counter("countersign_stream_entries_acknowledged_total",
          "Stream entries acknowledged by this process.", {{"group", m_options.group}})}
    , m_patience{kPatienceLeast}
{
    CHECK(m_options.block > 0ms);
    CHECK(m_options.claimAfter > 0ms);
}

base::Result<std::int64_t> StreamReader::runOnce(const std::stop_token& stop)
{
    auto done = runRound(stop);
    if (!done && done.error().code == "NOGROUP") {
        // What was held stands in no list any more; the new group delivers it again.
        m_held.clear();
    }
    if (!done) m_mustList = true;
    return done;
}

base::Result<std::int64_t> StreamReader::runRound(const std::stop_token& stop)
{
    if (m_mustList) {
        if (const auto listed = listHeld(); !listed) return listed.error();
        m_mustList = false;
    }
    if (Clock::now() >= m_nextClaim) {
        if (const auto taken = takeOver(); !taken) return taken.error();
        m_nextClaim = Clock::now() + m_options.claimAfter / 4;
    }
    if (Clock::now() >= m_nextKeep) {
        if (const auto kept = keepHeld(); !kept) return kept.error();
        m_nextKeep = Clock::now() + m_options.claimAfter / 4;
    }
    auto entries = readNew(stop);
    if (!entries) return entries.error();
    const bool hasNew = !entries->empty();
    if (const auto sorted = sort(std::move(*entries)); !sorted) return sorted.error();

    const auto acknowledged = askAndAcknowledge();
    if (!acknowledged) return acknowledged.error();
    const bool hasMoved = hasNew || *acknowledged > 0;
    // What is held must be kept claimed in time, whatever it waits for.
    const auto most = std::min(kPatienceMost, m_options.claimAfter / 8);
    m_patience
        = hasMoved ? kPatienceLeast : std::max(kPatienceLeast, std::min(m_patience * 2, most));
    return acknowledged;
}

// Pages of one's own pending list; this does not count as a delivery, as reading it again would.
base::Status StreamReader::listHeld()
{
    std::int64_t from = 0;
    for (;;) {
        const auto page = m_group.listOwn(from);
        if (!page) return page.error();
        for (const PendingEntry& entry : *page) m_held.insert(entry.no);
        if (page->size() < base::kStreamReadMax) return base::Done{};
        from = page->back().no + 1;
    }
}

base::Status StreamReader::takeOver()
{
    std::string cursor{kFirstPage};
    do {
        auto page = m_group.claimIdle(m_options.claimAfter, cursor);
        if (!page) return page.error();
        cursor = page->cursor;
        if (page->entries.empty()) continue;
        base::logInfo("entries of a silent consumer taken over",
            {{"group", m_options.group},
                {"entries", static_cast<std::int64_t>(page->entries.size())}});
        if (const auto told = tellSuspects(page->entries); !told) return told;
        if (const auto sorted = sort(std::move(page->entries)); !sorted) return sorted;
    } while (cursor != kFirstPage);
    return m_group.forgetOthers(m_options.claimAfter);
}

base::Status StreamReader::tellSuspects(const std::vector<DeliveredEntry>& claimed)
{
    if (!m_options.onSuspects) return base::Done{};
    std::map<std::int64_t, std::int64_t> deliveries; // number → count
    std::int64_t from = 0;
    for (const DeliveredEntry& entry : claimed) {
        if (!entry.no) continue;
        if (from == 0 || *entry.no < from) from = *entry.no;
    }
    const auto page = m_group.listOwn(from);
    if (!page) return page.error();
    std::vector<std::int64_t> numbers;
    for (const PendingEntry& entry : *page) {
        if (entry.deliveries < kSuspectDeliveries) continue;
        deliveries.emplace(entry.no, entry.deliveries);
        numbers.push_back(entry.no);
    }
    if (numbers.empty()) return base::Done{};

    const auto connection = m_database.get();
    if (!connection) return connection.error();
    const auto rows = (*connection)->run(sql::kReaderEvents, numbersAndBounds(numbers));
    if (!rows) return rows.error();
    std::vector<SuspectEntry> suspects;
    for (int row = 0; row < rows->size(); ++row) {
        suspects.push_back({rows->bigint(row, 1), deliveries.at(rows->bigint(row, 0))});
    }
    if (!suspects.empty()) m_options.onSuspects(suspects);
    return base::Done{};
}

// Long waits are not a death: whoever still minds its entries says so, or a backlog would make them
// wander from consumer to consumer and look like poison.
base::Status StreamReader::keepHeld()
{
    const std::vector<std::int64_t> all{m_held.begin(), m_held.end()};
    for (std::size_t from = 0; from < all.size(); from += kAskMax) {
        const std::span chunk{all.data() + from, std::min(kAskMax, all.size() - from)};
        if (const auto kept = m_group.keepClaim(chunk); !kept) return kept;
    }
    return base::Done{};
}

base::Result<std::vector<DeliveredEntry>> StreamReader::readNew(const std::stop_token& stop)
{
    if (stop.stop_requested()) return std::vector<DeliveredEntry>{};
    if (m_held.size() >= kHeldMax) {
        base::Wakeup never;
        (void)never.waitFor(m_patience, stop);
        return std::vector<DeliveredEntry>{};
    }
    if (!m_held.empty()) return m_group.read(m_patience);
    return readInterruptibly(stop);
}

base::Result<std::vector<DeliveredEntry>> StreamReader::readInterruptibly(
    const std::stop_token& stop)
{
    auto connection = m_group.connectionId();
    if (!connection) return connection.error();
    m_isBlocked.store(true);
    auto entries = [&] {
        const std::stop_callback unblock{
            stop, Unblock{m_options.redis, std::move(*connection), m_isBlocked}};
        auto read = m_group.read(m_options.block);
        m_isBlocked.store(false);
        return read;
    }();
    return entries;
}

base::Status StreamReader::sort(std::vector<DeliveredEntry> entries)
{
    std::vector<std::string> unread;
    bool hasEnqueued = false;
    for (DeliveredEntry& entry : entries) {
        hasEnqueued = hasEnqueued || isEnqueued(entry);
        // Without a body the log still knows what the number announced.
        if (entry.no && (isEnqueued(entry) || entry.event.empty())) {
            m_held.insert(*entry.no);
        } else {
            unread.push_back(std::move(entry.id));
        }
    }
    if (hasEnqueued && m_options.onEnqueued) m_options.onEnqueued();
    return acknowledge(unread);
}

base::Status StreamReader::acknowledge(const std::vector<std::string>& ids)
{
    for (std::size_t from = 0; from < ids.size(); from += kAskMax) {
        const std::span chunk{ids.data() + from, std::min(kAskMax, ids.size() - from)};
        if (const auto done = m_group.acknowledge(chunk); !done) return done;
        m_acknowledged.add(static_cast<std::int64_t>(chunk.size()));
    }
    return base::Done{};
}

base::Result<std::vector<std::int64_t>> StreamReader::endedOf(
    const std::vector<std::int64_t>& numbers)
{
    const auto connection = m_database.get();
    if (!connection) return connection.error();
    const auto rows = (*connection)->run(sql::kReaderWorking, numbersAndBounds(numbers));
    if (!rows) return rows.error();
    std::set<std::int64_t> working;
    for (int row = 0; row < rows->size(); ++row) working.insert(rows->bigint(row, 0));
    std::vector<std::int64_t> ended;
    for (const std::int64_t number : numbers) {
        if (!working.contains(number)) ended.push_back(number);
    }
    return ended;
}

base::Result<std::int64_t> StreamReader::askAndAcknowledge()
{
    if (m_held.empty()) return std::int64_t{0};
    std::vector<std::int64_t> numbers;
    auto next = m_held.upper_bound(m_askedUpTo);
    if (next == m_held.end()) next = m_held.begin();
    for (; next != m_held.end() && numbers.size() < kAskMax; ++next) numbers.push_back(*next);
    m_askedUpTo = numbers.back();

    const auto ended = endedOf(numbers);
    if (!ended) return ended.error();
    std::vector<std::string> ids;
    ids.reserve(ended->size());
    for (const std::int64_t number : *ended) ids.push_back(idOfNumber(number));
    if (const auto done = acknowledge(ids); !done) return done.error();
    for (const std::int64_t number : *ended) m_held.erase(number);
    return static_cast<std::int64_t>(ended->size());
}

void StreamReader::run(const std::stop_token& stop, base::Pulse& pulse)
{
    base::Wakeup never;
    auto backoff = kBackoffFirst;
    bool isTroubled = false;
    while (!stop.stop_requested()) {
        pulse.beat();
        const auto round = runOnce(stop);
        if (round) {
            if (isTroubled) base::logInfo("stream reader goes on", {{"group", m_options.group}});
            isTroubled = false;
            backoff = kBackoffFirst;
            continue;
        }
        if (!isTroubled) {
            base::logWarning("stream reader waits",
                {{"group", m_options.group}, {"error", round.error().message}});
        }
        isTroubled = true;
        (void)never.waitFor(backoff, stop);
        backoff = std::min(backoff * 2, kBackoffMost);
    }
    if (m_held.empty() && !isTroubled) (void)m_group.leave();
}

} // namespace dispatch
