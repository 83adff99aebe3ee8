#include "processor/dispatch/relayed_line.h"

#include <chrono>
#include <fmt/core.h>

namespace dispatch {

std::vector<RelayedLine> readRelayedLines(const pg::Rows& rows)
{
    std::vector<RelayedLine> lines;
    lines.reserve(static_cast<std::size_t>(rows.size()));
    for (int row = 0; row < rows.size(); ++row) {
        lines.push_back({
            .no = rows.bigint(row, 0),
            .kind = std::string{rows.text(row, 1)},
            .paymentId = std::string{rows.text(row, 2)},
            .eventType = std::string{rows.text(row, 3)},
            .userId = rows.bigint(row, 4),
            .merchantId = rows.textOrNull(row, 5),
            .asset = std::string{rows.text(row, 6)},
            .amount = std::string{rows.text(row, 7)},
            .traceId = std::string{rows.text(row, 8)},
            .at = isoUtc(rows.timestampMicros(row, 9)),
            .epoch = std::string{rows.text(row, 10)},
        });
    }
    return lines;
}

StreamFields streamFields(const RelayedLine& line)
{
    StreamFields fields{
        {"event", line.kind},
        {"payment_id", line.paymentId},
        {"event_type", line.eventType},
        {"user_id", std::to_string(line.userId)},
    };
    if (line.merchantId) {
        fields.emplace_back("merchant_id", *line.merchantId);
    }
    fields.emplace_back("asset", line.asset);
    fields.emplace_back("amount", line.amount);
    fields.emplace_back("trace_id", line.traceId);
    fields.emplace_back("at", line.at);
    fields.emplace_back("epoch", line.epoch);
    return fields;
}

std::string isoUtc(std::int64_t microsSince1970)
{
    using namespace std::chrono;
    const sys_time<microseconds> time{microseconds{microsSince1970}};
    const auto day = floor<days>(time);
    const year_month_day date{day};
    const hh_mm_ss clock{time - day};
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:06}Z", static_cast<int>(date.year()),
        static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
        clock.hours().count(), clock.minutes().count(), clock.seconds().count(),
        clock.subseconds().count());
}

} // namespace dispatch
