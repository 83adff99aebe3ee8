#include "processor/dispatch/relay.h"

#include "processor/base/log.h"
#include "processor/dispatch/backoff.h"
#include "sql/relay.h"

#include <algorithm>
#include <utility>

namespace dispatch {
namespace {

using namespace std::chrono_literals;

// Whoever lost against another relay leaves the work to it for so long, and takes over after that.
constexpr std::chrono::milliseconds kStandBy{1'000};
constexpr std::chrono::seconds kStalledAfter{60};

} // namespace

Relay::Relay(RelayOptions options, base::Alerter& alerter, base::Metrics& metrics)
    : m_options{std::move(options)}
    , m_alerter{alerter}
    , m_database{m_options.database}
    , m_stream{m_options.redis, std::string{kStream}}
    , m_aligner{m_stream, alerter, m_options.groups}
    , m_positions{m_stream, alerter, metrics, m_options.trimBlockedEntries}
    , m_relayed{metrics.counter("countersign_stream_entries_relayed_total",
          "Lines of the payment log appended to the stream by this process.")}
    , m_lag{metrics.gauge(
          "countersign_relay_lag", "Lines of the payment log that are not in the stream yet.")}
{
    CHECK(!m_options.groups.empty());
    CHECK(m_options.entriesMax > 0);
}

void Relay::forget()
{
    m_alignment.reset();
}

base::Status Relay::align(pg::Connection& connection)
{
    auto alignment = m_aligner.align(connection);
    if (!alignment) return alignment.error();
    m_length = alignment->view.length;
    m_lastRelayed.store(alignment->last);
    m_alignment.emplace(std::move(*alignment));
    return base::Done{};
}

base::Result<RelayStep> Relay::runOnce()
{
    const auto connection = m_database.get();
    if (!connection) return connection.error();
    if (!m_alignment) {
        if (const auto aligned = align(**connection); !aligned) return aligned.error();
    }
    if (m_length >= m_options.entriesMax) {
        m_alerter.raise(base::AlertLevel::Critical, "stream_full",
            "the stream holds " + std::to_string(m_length)
                + " entries, its limit; the relay waits until groups have read on. Settlement goes "
                  "on from the queue, nothing is skipped");
        return RelayStep{.isPaused = true};
    }
    const auto lines = readLines(**connection);
    if (!lines) return lines.error();
    if (lines->empty()) return RelayStep{};
    return append(*lines);
}

base::Result<std::vector<RelayedLine>> Relay::readLines(pg::Connection& connection)
{
    pg::Params params;
    params.bigint(m_alignment->last);
    const auto rows = connection.run(sql::kRelayRead, params);
    if (!rows) return rows.error();
    auto lines = readRelayedLines(*rows);

    const auto room = static_cast<std::size_t>(
        std::min<std::int64_t>(m_options.entriesMax - m_length, base::kRelayBatchMax));
    if (lines.size() > room) lines.resize(room);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::int64_t expected = m_alignment->last + 1 + static_cast<std::int64_t>(i);
        if (lines[i].no == expected) continue;
        // Numbers are given in commit order under the tail's lock: a gap cannot be a late commit.
        m_alerter.raise(base::AlertLevel::Critical, "log_gap",
            "the payment log lacks number " + std::to_string(expected)
                + "; the relay stops in front of it");
        if (i == 0) {
            return base::Error{base::ErrorKind::Corrupt,
                "the payment log lacks number " + std::to_string(expected)};
        }
        lines.resize(i);
    }
    return lines;
}

base::Result<RelayStep> Relay::append(const std::vector<RelayedLine>& lines)
{
    const std::int64_t expected = m_alignment->last;
    const auto answer = m_stream.append(expected, lines);
    if (!answer) {
        // Written or not, in part or not at all: the stream's end will tell.
        forget();
        return answer.error();
    }
    m_length = answer->length;
    if (!answer->isWritten) {
        forget();
        const auto now = numberOfId(answer->lastGeneratedId);
        return RelayStep{.isMisplaced = true, .isOvertaken = now && *now > expected};
    }
    m_alignment->last = lines.back().no;
    m_lastRelayed.store(lines.back().no);
    m_relayed.add(static_cast<std::int64_t>(lines.size()));
    return RelayStep{.appended = static_cast<std::int64_t>(lines.size())};
}

base::Result<std::int64_t> Relay::upkeep()
{
    const auto connection = m_database.get();
    if (!connection) return connection.error();
    forget();
    if (const auto aligned = align(**connection); !aligned) return aligned.error();
    auto dropped = m_positions.keep(**connection, m_alignment->view, m_alignment->last);
    if (dropped) m_length = std::max<std::int64_t>(m_length - *dropped, 0);
    return dropped;
}

// From the log alone, so that it also grows while Redis is away.
void Relay::showLag()
{
    const auto connection = m_database.get();
    if (!connection) return;
    pg::Params params;
    params.bigint(m_lastRelayed.load());
    const auto rows = (*connection)->run(sql::kRelayLast, params);
    if (!rows) return;
    m_lag.set(std::max<std::int64_t>(rows->bigint(0, 0) - m_lastRelayed.load(), 0));
}

base::Result<RelayStep> Relay::runRound()
{
    if (Clock::now() >= m_nextUpkeep) {
        m_nextUpkeep = Clock::now() + m_options.upkeepEvery;
        const auto kept = upkeep();
        showLag();
        if (!kept) return kept.error();
    }
    return runOnce();
}

void Relay::noteTrouble(const base::Error& error)
{
    if (!m_troubledSince) {
        m_troubledSince = Clock::now();
        base::logWarning("relay waits", {{"error", error.message}});
    }
    if (Clock::now() - *m_troubledSince > kStalledAfter) {
        m_alerter.raise(base::AlertLevel::Warning, "relay_stalled",
            "nothing was relayed to the stream for a minute: " + error.message);
    }
}

void Relay::noteSuccess()
{
    if (!m_troubledSince) return;
    m_troubledSince.reset();
    base::logInfo("relay goes on", {{"last", m_lastRelayed.load()}});
}

void Relay::run(const std::stop_token& stop, base::Wakeup& wakeup, base::Pulse& pulse)
{
    base::Wakeup never; // a plain wait that ends with the stop
    auto backoff = kBackoffFirst;
    while (!stop.stop_requested()) {
        pulse.beat();
        const auto begun = Clock::now();
        const auto step = runRound();
        if (!step) noteTrouble(step.error());
        if (!step || step->isPaused) {
            (void)never.waitFor(backoff, stop);
            backoff = std::min(backoff * 2, kBackoffMost);
            continue;
        }
        backoff = kBackoffFirst;
        noteSuccess();
        if (step->isOvertaken) {
            (void)never.waitFor(kStandBy, stop);
        } else if (step->appended > 0 || step->isMisplaced) {
            // Under load the commits of two milliseconds travel together.
            (void)never.waitFor(begun + base::kRelayPause - Clock::now(), stop);
        } else {
            (void)wakeup.waitFor(m_options.pollEvery, stop);
        }
    }
}

} // namespace dispatch
