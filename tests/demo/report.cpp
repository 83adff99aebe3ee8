#include "tests/demo/report.h"

#include "processor/base/json_writer.h"

#include <cstdio>

namespace demo {
namespace {

std::string milliseconds(std::chrono::microseconds duration)
{
    const auto micros = duration.count();
    std::string tenth = std::to_string((micros % 1'000) / 100);
    return std::to_string(micros / 1'000) + "." + tenth;
}

class Table
{
public:
    void heading(const std::string& text) { m_text += "\n" + text + "\n"; }

    void row(const std::string& what, const std::string& value, const std::string& remark = {})
    {
        constexpr std::size_t kWhat = 34;
        constexpr std::size_t kValue = 9;
        m_text += "  " + what + std::string(what.size() < kWhat ? kWhat - what.size() : 1, ' ');
        m_text += std::string(value.size() < kValue ? kValue - value.size() : 0, ' ') + value;
        if (!remark.empty()) m_text += "  " + remark;
        m_text += '\n';
    }
    void row(const std::string& what, std::int64_t value, const std::string& remark = {})
    {
        row(what, std::to_string(value), remark);
    }

    [[nodiscard]] std::string take() { return std::move(m_text); }

private:
    std::string m_text;
};

void answersInto(Table& table, const Answers& answers)
{
    table.heading("Webhooks answered");
    table.row("accepted", static_cast<std::int64_t>(answers.events.size()),
        "each committed before the 200");
    table.row("duplicates", answers.duplicates, "200, nothing changed");
    table.row("refused", answers.refused);
    for (const auto& [code, count] : answers.refusedBy) table.row("  " + code, count);
    table.row("sent again", answers.tryAgain, "after 503 or a broken connection");
    for (const auto& [what, count] : answers.unexpected) {
        table.row("  UNEXPECTED", count, what);
    }
}

void findingsInto(Table& table, const Findings& findings)
{
    table.heading("Settled, with the worker and Redis killed once each");
    table.row("confirmed", findings.confirmed, "each with exactly one journal row");
    table.row("insufficient funds", findings.insufficientFunds, "a final answer, no money moved");
    for (const auto& [failure, count] : findings.otherFailures) table.row(failure, count);

    table.heading("The books, read from outside");
    table.row("accounts whose sums hold",
        std::to_string(findings.accounts - findings.wrongSums) + "/"
            + std::to_string(findings.accounts),
        "balance - debt = opening + journal");
    table.row("double credits", findings.doubleCredits);
    table.row("answered 200 and lost", findings.lost);
    table.row("lines of the log", findings.logLines, "numbered without a gap");
    table.row("entries of the stream", findings.streamEntries, "the same, in the same order");
    for (const std::string& complaint : findings.complaints) table.row("WRONG", "", complaint);
}

} // namespace

std::string tableOf(const Report& report)
{
    Table table;
    answersInto(table, report.answers);
    findingsInto(table, report.findings);
    table.heading("Speed");
    table.row("busy part, all settled", std::to_string(report.duration.count()), "ms");
    table.row("POST to confirmed, p50", milliseconds(report.latency.p50),
        "ms at 50/s, until another connection sees it committed");
    table.row("POST to confirmed, p99", milliseconds(report.latency.p99), "ms");
    table.row("measured", static_cast<std::int64_t>(report.latency.measured));
    table.heading(report.isRight() ? "All right: every payment moved money exactly once."
                                   : "NOT RIGHT: see above.");
    return table.take();
}

std::string jsonOf(const Report& report)
{
    base::JsonWriter json;
    json.beginObject()
        .field("accepted", report.answers.events.size())
        .field("duplicates", report.answers.duplicates)
        .field("confirmed", report.findings.confirmed)
        .field("insufficient_funds", report.findings.insufficientFunds)
        .field("refused", report.answers.refused)
        .key("refused_by")
        .beginObject();
    for (const auto& [code, count] : report.answers.refusedBy) json.field(code, count);
    return json.endObject()
        .field("sum_check", report.findings.wrongSums == 0 ? "ok" : "wrong")
        .field("double_credits", report.findings.doubleCredits)
        .field("lost", report.findings.lost)
        .key("p50_ms")
        .number(milliseconds(report.latency.p50))
        .key("p99_ms")
        .number(milliseconds(report.latency.p99))
        .endObject()
        .take();
}

} // namespace demo
