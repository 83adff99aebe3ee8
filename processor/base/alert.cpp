#include "processor/base/alert.h"

#include "processor/base/check.h"
#include "processor/base/log.h"

#include <exception>
#include <utility>

namespace base {

namespace {

void writeAlertLine(const Alert& alert)
{
    LogLevel level = LogLevel::Critical;
    switch (alert.level) {
    case AlertLevel::Info:
        level = LogLevel::Info;
        break;
    case AlertLevel::Warning:
        level = LogLevel::Warning;
        break;
    case AlertLevel::Critical:
        break;
    }
    log(level, alert.message,
        {{"alert", alert.key}, {"severity", std::string{alertLevelName(alert.level)}},
            {"detail", alert.detail}, {"repeats", alert.repeats}});
}

} // namespace

std::string_view alertLevelName(AlertLevel level)
{
    switch (level) {
    case AlertLevel::Info:
        return "INFO";
    case AlertLevel::Warning:
        return "WARNING";
    case AlertLevel::Critical:
        return "CRITICAL";
    }
    return "CRITICAL";
}

Alerter::Alerter(Clock clock)
    : m_clock{std::move(clock)}
    , m_sinks{std::make_shared<const Sinks>(Sinks{&writeAlertLine})}
{
    CHECK(m_clock);
}

void Alerter::addSink(Sink sink)
{
    CHECK(sink);
    const std::lock_guard lock{m_mutex};
    Sinks more = *m_sinks;
    more.push_back(std::move(sink));
    m_sinks = std::make_shared<const Sinks>(std::move(more));
}

bool Alerter::raise(AlertLevel level, std::string_view key, std::string_view message,
    std::string_view detail) noexcept
{
    try {
        std::int64_t repeats = 0;
        const Verdict verdict = key.empty() ? Verdict::GoesOut : judge(std::string{key}, repeats);
        switch (verdict) {
        case Verdict::GoesOut:
            break;
        case Verdict::CoolingDown:
            return false;
        case Verdict::NoRoom:
            logWarning("alert suppressed: too many different keys within the cooldown",
                {{"alert", std::string{key}}, {"severity", std::string{alertLevelName(level)}}});
            return false;
        }
        send({.key = std::string{key},
            .level = level,
            .message = std::string{message},
            .detail = std::string{detail},
            .traceId = currentTraceId(),
            .at = std::chrono::system_clock::now(),
            .repeats = repeats});
        return true;
    } catch (...) {
        logError("alert lost"); // out of memory; log() never throws
        return false;
    }
}

Alerter::Verdict Alerter::judge(const std::string& key, std::int64_t& repeats)
{
    const auto now = m_clock();
    const std::lock_guard lock{m_mutex};
    if (const auto found = m_keys.find(key); found != m_keys.end()) {
        Memory& memory = found->second;
        if (now - memory.sentAt < kAlertCooldown) {
            ++memory.repeats;
            return Verdict::CoolingDown;
        }
        repeats = memory.repeats;
        memory = {.sentAt = now, .repeats = 0};
        return Verdict::GoesOut;
    }
    if (!hasRoom(now)) {
        return Verdict::NoRoom;
    }
    m_keys.emplace(key, Memory{.sentAt = now, .repeats = 0});
    return Verdict::GoesOut;
}

bool Alerter::hasRoom(std::chrono::steady_clock::time_point now)
{
    if (m_keys.size() >= kAlertKeysMax) {
        std::erase_if(m_keys,
            [&](const auto& entry) { return now - entry.second.sentAt > 2 * kAlertCooldown; });
    }
    return m_keys.size() < kAlertKeysMax;
}

void Alerter::send(const Alert& alert)
{
    std::shared_ptr<const Sinks> sinks;
    {
        const std::lock_guard lock{m_mutex};
        sinks = m_sinks;
    }
    for (const Sink& sink : *sinks) {
        try {
            sink(alert);
        } catch (const std::exception& problem) {
            logError("an alert listener failed",
                {{"alert", alert.key}, {"problem", std::string{problem.what()}}});
        } catch (...) {
            logError("an alert listener failed", {{"alert", alert.key}});
        }
    }
}

} // namespace base
