#include "processor/store/alerts.h"

#include "processor/base/limits.h"
#include "processor/base/log.h"
#include "processor/base/wakeup.h"
#include "processor/pg/transaction.h"
#include "sql/alerts.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

namespace store {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kBatchMax = 100;
constexpr std::size_t kKeyFromTextMax = 100; // octets
constexpr std::chrono::milliseconds kPatience{1'000};
constexpr std::chrono::milliseconds kBackoff{500};

std::string rowKey(const base::Alert& alert)
{
    if (!alert.key.empty()) {
        return alert.key;
    }
    std::size_t length = std::min(alert.message.size(), kKeyFromTextMax);
    // Not in the middle of a character: 10xxxxxx continues one.
    while (length < alert.message.size() && length > 0
        && (static_cast<unsigned char>(alert.message[length]) & 0xC0U) == 0x80U) {
        --length;
    }
    return "text:" + alert.message.substr(0, length);
}

pg::Params rowOf(const base::Alert& alert, const std::optional<std::string>& detail)
{
    const auto age = std::chrono::duration_cast<std::chrono::microseconds>(
        std::chrono::system_clock::now() - alert.at);
    pg::Params params;
    params.text(rowKey(alert))
        .text(base::alertLevelName(alert.level))
        .text(alert.message)
        .bigint(std::max<std::int64_t>(age.count(), 0))
        .bigint(1 + alert.repeats)
        .jsonb(detail)
        .text(alert.traceId);
    return params;
}

base::Status upsert(pg::Connection& connection, pg::Params params)
{
    // A person may hold the row (acknowledging it); nobody else's alert waits for that.
    pg::Transaction transaction{connection, {.statement = 2'000ms, .lock = 200ms}};
    transaction.add(sql::kAlertUpsert, std::move(params));
    if (const auto written = transaction.commit(); !written) {
        return written.error();
    }
    return base::Done{};
}

} // namespace

base::Status writeAlert(pg::Connection& connection, const base::Alert& alert)
{
    std::optional<std::string> detail;
    if (!alert.detail.empty()) {
        detail = alert.detail;
    }
    auto written = upsert(connection, rowOf(alert, detail));
    if (!written && written.error().kind == base::ErrorKind::Invalid && detail) {
        // An alert is worth more than its detail.
        written = upsert(connection, rowOf(alert, std::nullopt));
    }
    return written;
}

AlertWriter::AlertWriter(pg::ConnectOptions database, base::AlertQueue& queue)
    : m_database{std::move(database)}
    , m_queue{queue}
{}

void AlertWriter::keep(std::vector<base::Alert> alerts)
{
    for (base::Alert& alert : alerts) {
        if (m_kept.size() >= base::kAlertQueueMax) {
            base::logError("alert not written to the table", {{"key", m_kept.front().key}});
            m_kept.pop_front();
        }
        m_kept.push_back(std::move(alert));
    }
}

base::Result<std::size_t> AlertWriter::runOnce(
    std::chrono::milliseconds patience, const std::stop_token& stop)
{
    keep(m_queue.take(kBatchMax, m_kept.empty() ? patience : 0ms, stop));
    std::size_t written = 0;
    std::size_t locked = 0;
    while (locked < m_kept.size()) {
        const auto connection = m_database.get();
        if (!connection) {
            return connection.error();
        }
        const auto status = writeAlert(**connection, m_kept[locked]);
        if (!status && status.error().kind == base::ErrorKind::Unavailable) {
            return status.error();
        }
        if (!status && status.error().kind == base::ErrorKind::Conflict) {
            ++locked; // a person holds this row; the others do not wait for it
            continue;
        }
        if (!status) {
            base::logError("alert refused by the table",
                {{"key", m_kept[locked].key}, {"error", status.error().message}});
        }
        m_kept.erase(m_kept.begin() + static_cast<std::ptrdiff_t>(locked));
        ++written;
    }
    return written;
}

void AlertWriter::run(const std::stop_token& stop, base::Pulse& pulse)
{
    base::Wakeup never;
    while (!stop.stop_requested()) {
        pulse.beat();
        if (!runOnce(kPatience, stop) || !m_kept.empty()) {
            (void)never.waitFor(kBackoff, stop);
        }
    }
    // Best effort: whoever asks for the end waits for us only so long.
    if (const auto rest = runOnce(0ms, stop); !rest) {
        base::logWarning("last alerts not written", {{"error", rest.error().message}});
    }
}

} // namespace store
