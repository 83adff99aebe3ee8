#include "tests/torture/books.h"

#include "processor/redis/client.h"
#include "tests/support/require.h"
#include "tests/support/wait.h"

#include <array>

namespace torture {
namespace {

using namespace std::chrono_literals;

constexpr const char* kStream = "payments:events";
constexpr const char* kStreamPage = "5000";

struct Rule
{
    const char* promise; // what is broken when rows are found
    const char* rows;
};

// EXCUSED is replaced.
constexpr std::array kRules{
    Rule{"balance - debt = initial_balance + journal",
        "SELECT FROM balances b LEFT JOIN (SELECT user_id, asset, sum(amount) AS total"
        " FROM balance_events GROUP BY 1, 2) j USING (user_id, asset)"
        " WHERE b.balance - b.debt <> b.initial_balance + coalesce(j.total, 0)"},
    Rule{"no account of the journal without a balance",
        "SELECT FROM balance_events j WHERE NOT EXISTS (SELECT FROM balances b"
        " WHERE b.user_id = j.user_id AND b.asset = j.asset)"},
    Rule{"balance and debt are never negative and never both",
        "SELECT FROM balances WHERE balance < 0 OR debt < 0 OR (balance > 0 AND debt > 0)"},
    Rule{"one journal row per event",
        "SELECT FROM balance_events GROUP BY source_event_id, event_type HAVING count(*) > 1"},
    Rule{"a confirmed event moved its own amount once, any other none",
        "SELECT FROM payment_events e LEFT JOIN (SELECT event_no, count(*) AS n,"
        " sum(amount) AS moved, min(user_id) AS who FROM balance_events GROUP BY 1) j"
        " USING (event_no) WHERE CASE WHEN e.outcome = 'confirmed' THEN j.n IS DISTINCT FROM 1"
        " OR j.who <> e.user_id OR j.moved <> CASE WHEN e.event_type IN ('deposit', 'airdrop')"
        " THEN e.amount ELSE -e.amount END ELSE j.n IS NOT NULL END"},
    Rule{"the versions of an account are 1, 2, 3 … and end where the balance stands",
        "SELECT FROM balances b LEFT JOIN (SELECT user_id, asset, count(*) AS n, min(version) AS"
        " low, max(version) AS high FROM balance_events GROUP BY 1, 2) j USING (user_id, asset)"
        " WHERE b.version <> coalesce(j.n, 0) OR (j.n > 0 AND (j.low <> 1 OR j.high <> j.n))"},
    Rule{"each journal row continues the one before it",
        "SELECT FROM (SELECT j.*, lag(balance_after, 1, b.initial_balance) OVER (PARTITION BY"
        " j.user_id, j.asset ORDER BY j.version) AS before FROM balance_events j"
        " JOIN balances b USING (user_id, asset)) chain WHERE balance_after <> before + amount"},
    // Received before another is who has the lower number and was committed first: of two that
    // arrive at the same time in two processes either may go first.
    Rule{"an account's events were settled in order of receipt",
        "WITH posted AS (SELECT j.event_no, l.no, array_agg(j.event_no) OVER near AS numbers,"
        " array_agg(l.no) OVER near AS logged FROM balance_events j JOIN payment_events e USING"
        " (event_no) JOIN payment_log l ON l.event_no = j.event_no AND l.kind ="
        " 'payment.enqueued' WHERE NOT (EXCUSED) WINDOW near AS (PARTITION BY j.user_id, j.asset"
        " ORDER BY j.version ROWS BETWEEN 50 PRECEDING AND 1 PRECEDING)) SELECT FROM posted,"
        " unnest(numbers, logged) AS sooner(event_no, no)"
        " WHERE posted.event_no < sooner.event_no AND posted.no < sooner.no"},
    Rule{"every event has ended",
        "SELECT FROM payment_events e WHERE outcome IS NULL AND NOT (EXCUSED)"},
    Rule{"an event without an outcome has exactly one work row, an ended one none",
        "SELECT FROM payment_events e WHERE (SELECT count(*) FROM event_queue q WHERE q.event_no ="
        " e.event_no) + (SELECT count(*) FROM event_waits w WHERE w.event_no = e.event_no)"
        " <> CASE WHEN outcome IS NULL THEN 1 ELSE 0 END"},
    Rule{"no healthy event failed",
        "SELECT FROM payment_events e WHERE outcome = 'failed' AND NOT (EXCUSED)"},
    Rule{"no letter for a healthy event",
        "SELECT FROM dead_letter_queue d JOIN payment_events e USING (event_no)"
        " WHERE NOT (EXCUSED)"},
    Rule{"what failed has a letter, but for want of funds or a payment made twice",
        "SELECT FROM payment_events e WHERE outcome = 'failed' AND failure NOT IN"
        " ('insufficient_funds', 'duplicate_payment') AND NOT EXISTS"
        " (SELECT FROM dead_letter_queue d WHERE d.event_no = e.event_no)"},
    Rule{"processed_events says what the event says",
        "SELECT FROM payment_events e FULL JOIN processed_events p USING (event_no)"
        " WHERE CASE WHEN e.outcome = 'confirmed' THEN 'success' WHEN e.failure ="
        " 'insufficient_funds' THEN e.failure END IS DISTINCT FROM p.outcome"},
    Rule{"one key and one event per delivery that was accepted",
        "SELECT FROM payment_events e FULL JOIN event_keys k USING (event_no)"
        " WHERE k.event_no IS NULL OR e.event_no IS NULL"},
    Rule{"a merchant has what was paid in through it",
        "SELECT FROM (SELECT merchant_id, asset, sum(CASE WHEN event_type = 'deposit' THEN amount"
        " WHEN event_type = 'refund' THEN -amount ELSE 0 END) AS paid FROM payment_events"
        " WHERE outcome = 'confirmed' AND merchant_id IS NOT NULL GROUP BY 1, 2) e"
        " LEFT JOIN merchant_balances m USING (merchant_id, asset)"
        " WHERE coalesce(m.balance, 0) <> e.paid"},
    Rule{"the log has no gap",
        "SELECT FROM (SELECT count(*) AS n, coalesce(max(no), 0) AS last FROM payment_log) l"
        " WHERE n <> last"},
    Rule{"the log tells the end of an event once",
        "SELECT FROM payment_events e WHERE (SELECT count(*) FROM payment_log l WHERE l.event_no ="
        " e.event_no AND l.kind IN ('payment.confirmed', 'payment.failed', 'payment.refunded'))"
        " <> CASE WHEN outcome IS NULL THEN 0 ELSE 1 END"},
};

std::string withExcuse(std::string rows, const std::string& excused)
{
    const std::string word = "EXCUSED";
    for (auto at = rows.find(word); at != std::string::npos; at = rows.find(word, at)) {
        rows.replace(at, word.size(), excused);
        at += excused.size();
    }
    return rows;
}

std::string countOf(support::Database& database, const std::string& rows)
{
    return database.value("SELECT count(*) FROM (" + rows + ") found");
}

std::string lineOf(const redis::Reply& entry)
{
    std::string line = entry.items[0].text;
    const auto& fields = entry.items[1].items;
    for (std::size_t i = 0; i + 1 < fields.size(); i += 2) {
        if (fields[i].text == "event" || fields[i].text == "payment_id") {
            line += " " + fields[i + 1].text;
        }
    }
    return line;
}

// From the lowest entry that is still there to the log's end, one by one.
std::string streamComplaint(support::Database& database, const std::string& url)
{
    redis::Client client{{.url = url}};
    const auto last = database.value("SELECT coalesce(max(no), 0) FROM payment_log");
    const auto isThere = [&] {
        const auto end = client.run({"XREVRANGE", kStream, "+", "-", "COUNT", "1"});
        return end && !end->items.empty() && end->items[0].items[0].text == last + "-0";
    };
    if (last == "0") return {};
    if (!support::waitUntil(isThere, 60s)) return "the stream does not reach the log's end\n";

    std::string from = "-";
    std::string seen;
    std::string first;
    for (;;) {
        const auto page
            = support::require(client.run({"XRANGE", kStream, from, "+", "COUNT", kStreamPage}));
        if (page.items.empty()) break;
        if (first.empty()) first = page.items.front().items[0].text;
        for (const auto& entry : page.items) seen += lineOf(entry) + "\n";
        from = "(" + page.items.back().items[0].text;
    }
    const auto logged = database.value(
        "SELECT string_agg(no || '-0 ' || kind || ' ' || payment_id || E'\\n', '' ORDER BY no)"
        " FROM payment_log WHERE no >= "
        + first.substr(0, first.find('-')));
    return seen == logged ? "" : "the stream is not the log\n";
}

} // namespace

bool waitEnded(
    support::Database& database, std::chrono::milliseconds limit, const std::string& excused)
{
    const std::string open
        = "SELECT FROM payment_events e WHERE outcome IS NULL AND NOT (" + excused + ")";
    return support::waitUntil([&] { return countOf(database, open) == "0"; }, limit);
}

std::string complaints(support::Database& database, const BooksPlan& plan)
{
    std::string all;
    for (const Rule& rule : kRules) {
        const auto found = countOf(database, withExcuse(rule.rows, plan.excused));
        if (found != "0") all += found + " rows against: " + rule.promise + "\n";
    }
    std::string ids;
    for (const auto& id : plan.promised) ids += (ids.empty() ? "" : ",") + id;
    const auto lost = countOf(database,
        "SELECT FROM unnest(string_to_array('" + ids
            + "', ',')) AS promised(id) LEFT JOIN payment_events e ON e.event_id = promised.id"
              " WHERE e.event_no IS NULL");
    if (lost != "0") all += lost + " events answered 200 are not there\n";
    if (!plan.redisUrl.empty()) all += streamComplaint(database, plan.redisUrl);
    return all;
}

} // namespace torture
