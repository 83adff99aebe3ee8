#include "tests/demo/audit.h"

#include "processor/base/wakeup.h"
#include "sql/audit.h"
#include "tests/demo/traffic.h"

#include <charconv>
#include <set>
#include <string_view>
#include <utility>

namespace demo {
namespace {

constexpr const char* kStream = "payments:events";

std::int64_t numberOfId(std::string_view id)
{
    std::int64_t no = -1;
    std::from_chars(id.data(), id.data() + id.size(), no);
    return no;
}

std::string fieldOfEntry(const redis::Reply& entry, std::string_view name)
{
    if (entry.items.size() != 2) return {};
    const auto& fields = entry.items[1].items;
    for (std::size_t i = 0; i + 1 < fields.size(); i += 2) {
        if (fields[i].text == name) return fields[i + 1].text;
    }
    return {};
}

// Asks seldom: the question must not slow down what it waits for.
template <class Condition>
bool waitCalmly(const Condition& condition, std::chrono::milliseconds limit)
{
    constexpr std::chrono::milliseconds kEvery{50};
    base::Wakeup never;
    const auto deadline = std::chrono::steady_clock::now() + limit;
    while (!condition()) {
        if (std::chrono::steady_clock::now() >= deadline) return false;
        (void)never.waitFor(kEvery, {});
    }
    return true;
}

// What the log says about one number, and what the stream does.
struct Line
{
    std::string kind;
    std::string paymentId;
    bool operator==(const Line&) const = default;
};

} // namespace

Audit::Audit(pg::Connection database, redis::Client redis, std::int64_t firstEvent)
    : m_database{std::move(database)}
    , m_redis{std::move(redis)}
    , m_firstEvent{firstEvent}
{}

base::Result<Audit> Audit::begin(const std::string& databaseUrl, const std::string& redisUrl)
{
    auto database = pg::Connection::open({.url = databaseUrl,
        .applicationName = "countersign-demo",
        .statementTimeout = std::chrono::seconds{60}});
    if (!database) return database.error();
    const auto last = database->run(sql::kAuditLastEvent);
    if (!last) return last.error();
    return Audit{std::move(*database), redis::Client{{.url = redisUrl}}, last->bigint(0, 0)};
}

base::Result<std::int64_t> Audit::number(const pg::Statement& statement, const pg::Params& params)
{
    const auto rows = m_database.run(statement, params);
    if (!rows) return rows.error();
    return rows->bigint(0, 0);
}

base::Result<bool> Audit::waitSettled(std::chrono::milliseconds limit)
{
    std::optional<base::Error> failure;
    const bool settled = waitCalmly(
        [&] {
            const auto work = number(sql::kAuditWork);
            if (!work) failure = work.error();
            return failure || *work == 0;
        },
        limit);
    if (failure) return *failure;
    return settled;
}

base::Result<std::int64_t> Audit::lastOfStream()
{
    const auto info = m_redis.run({"XINFO", "STREAM", kStream});
    if (!info) return info.error();
    for (std::size_t i = 0; i + 1 < info->items.size(); i += 2) {
        if (info->items[i].text == "last-generated-id") return numberOfId(info->items[i + 1].text);
    }
    return base::Error{base::ErrorKind::Corrupt, "XINFO names no last-generated-id"};
}

base::Result<bool> Audit::waitRelayed(std::chrono::milliseconds limit)
{
    const auto shape = m_database.run(sql::kAuditLogShape);
    if (!shape) return shape.error();
    const std::int64_t last = shape->bigint(0, 2);
    return waitCalmly(
        [&] {
            const auto reached = lastOfStream(); // an error: Redis is on its way up
            return reached && *reached >= last;
        },
        limit);
}

base::Result<Findings> Audit::run(const Answers& answers)
{
    Findings findings;
    if (const auto read = readBooks(findings); !read) return read.error();
    if (const auto read = readOutcomes(findings, answers); !read) return read.error();
    if (const auto compared = compareStream(findings); !compared) return compared.error();
    return findings;
}

base::Status Audit::readBooks(Findings& findings)
{
    const auto accounts = number(sql::kAuditAccounts);
    if (!accounts) return accounts.error();
    findings.accounts = *accounts;

    const auto sums = m_database.run(sql::kAuditSums);
    if (!sums) return sums.error();
    findings.wrongSums = sums->size();
    for (int row = 0; row < sums->size(); ++row) {
        findings.complaints.push_back("user " + std::to_string(sums->bigint(row, 0)) + " "
            + std::string{sums->text(row, 1)} + ": balance - debt is "
            + std::string{sums->text(row, 2)} + ", the journal says "
            + std::string{sums->text(row, 3)});
    }
    const auto doubles = number(sql::kAuditDoubleCredits);
    if (!doubles) return doubles.error();
    findings.doubleCredits = *doubles;
    if (*doubles != 0) findings.complaints.emplace_back("journal rows do not fit the outcomes");

    struct Zero
    {
        pg::Statement statement;
        const char* complaint;
    };
    for (const Zero& one : {Zero{sql::kAuditChains, "journal rows that fork or skip"},
             Zero{sql::kAuditLeftoverWork, "ended events that still have a work row"},
             Zero{sql::kAuditLogUnpaired, "events without one beginning and one end in the log"}}) {
        const auto count = number(one.statement);
        if (!count) return count.error();
        if (*count != 0) {
            findings.complaints.push_back(std::to_string(*count) + " " + one.complaint);
        }
    }
    pg::Params pairs;
    pairs.bigint(kFirstPairUser).bigint(kFirstPairUser + kPairs - 1);
    const auto wrongPairs = number(sql::kAuditPairs, pairs);
    if (!wrongPairs) return wrongPairs.error();
    if (*wrongPairs != 0) {
        findings.complaints.emplace_back(
            "of two withdrawals of 80 from 100, not exactly one passed");
    }
    return base::Done{};
}

base::Status Audit::readOutcomes(Findings& findings, const Answers& answers)
{
    const auto rows
        = m_database.run(sql::kAuditOutcomes, std::move(pg::Params{}.bigint(m_firstEvent)));
    if (!rows) return rows.error();

    std::set<EventKey> ended;
    for (int row = 0; row < rows->size(); ++row) {
        EventKey key{rows->text(row, 0), rows->text(row, 1)};
        const auto outcome = rows->textOrNull(row, 2);
        const auto failure = rows->textOrNull(row, 3);
        if (!outcome) continue;
        if (*outcome == "confirmed") {
            ++findings.confirmed;
        } else if (failure == "insufficient_funds") {
            ++findings.insufficientFunds;
        } else {
            ++findings.otherFailures[failure.value_or("")];
        }
        if (!answers.events.contains(key)) {
            findings.complaints.push_back("an event nobody was told about: " + key.first);
        }
        ended.insert(std::move(key));
    }
    for (const EventKey& key : answers.events) {
        if (!ended.contains(key)) ++findings.lost;
    }
    if (findings.lost != 0) {
        findings.complaints.push_back(
            std::to_string(findings.lost) + " events were answered 200 and have no outcome");
    }
    for (const auto& [failure, count] : findings.otherFailures) {
        findings.complaints.push_back(std::to_string(count) + " events failed: " + failure);
    }
    return base::Done{};
}

// The stream may have been trimmed to what its groups still need; what it holds must be the log.
base::Status Audit::compareStream(Findings& findings)
{
    const auto shape = m_database.run(sql::kAuditLogShape);
    if (!shape) return shape.error();
    findings.logLines = shape->bigint(0, 0);
    if (shape->bigint(0, 2) - shape->bigint(0, 1) + 1 != findings.logLines) {
        findings.complaints.emplace_back("the log's numbers have gaps");
    }

    std::int64_t last = 0;
    for (;;) {
        const auto page = m_database.run(sql::kAuditLogPage, std::move(pg::Params{}.bigint(last)));
        if (!page) return page.error();
        if (page->empty()) break;
        const std::string from = std::to_string(page->bigint(0, 0)) + "-0";
        const std::string to = std::to_string(page->bigint(page->size() - 1, 0)) + "-0";
        const auto entries = m_redis.run({"XRANGE", kStream, from, to});
        if (!entries) return entries.error();

        std::map<std::int64_t, Line> lines;
        for (int row = 0; row < page->size(); ++row) {
            last = page->bigint(row, 0);
            lines[last] = {std::string{page->text(row, 1)}, std::string{page->text(row, 2)}};
        }
        std::int64_t before = 0;
        for (const redis::Reply& entry : entries->items) {
            const std::int64_t no = numberOfId(entry.items.at(0).text);
            const Line line{fieldOfEntry(entry, "event"), fieldOfEntry(entry, "payment_id")};
            if (lines[no] != line || (before != 0 && no != before + 1)) {
                findings.complaints.push_back(
                    "stream entry " + std::to_string(no) + " is not the log's line");
            }
            before = no;
        }
        if (before != last && !entries->items.empty()) {
            findings.complaints.emplace_back("the stream ends before the log does");
        }
        findings.streamEntries += static_cast<std::int64_t>(entries->items.size());
    }
    const auto reached = lastOfStream();
    if (!reached) return reached.error();
    if (*reached != last)
        findings.complaints.emplace_back("the stream's last number is not the log's");
    return base::Done{};
}

base::Result<std::int64_t> Audit::redisPid()
{
    const auto info = m_redis.run({"INFO", "server"});
    if (!info) return info.error();
    constexpr std::string_view kMark = "process_id:";
    const auto found = info->text.find(kMark);
    if (found == std::string::npos) {
        return base::Error{base::ErrorKind::Corrupt, "INFO names no process_id"};
    }
    return numberOfId(std::string_view{info->text}.substr(found + kMark.size()));
}

} // namespace demo
