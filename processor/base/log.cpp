#include "processor/base/log.h"

#include "processor/base/json_writer.h"

#include <fmt/format.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <atomic>
#include <chrono>
#include <ctime>
#include <memory>
#include <mutex>
#include <utility>

namespace base {

namespace {

thread_local std::string t_traceId;

// What startLog() sets. Read by every thread, written once before the others start.
struct LogSettings
{
    std::atomic<LogLevel> least{LogLevel::Debug};
    std::mutex mutex;
    std::string instance;
};

LogSettings& settings()
{
    static LogSettings instance;
    return instance;
}

std::string instanceName()
{
    LogSettings& shared = settings();
    const std::lock_guard lock{shared.mutex};
    return shared.instance;
}

spdlog::logger& sink()
{
    static spdlog::logger logger = [] {
        // The line is complete JSON already: spdlog's own patterns do not escape.
        spdlog::logger made{"countersign", std::make_shared<spdlog::sinks::stderr_sink_mt>()};
        made.set_pattern("%v");
        made.set_level(spdlog::level::trace);
        made.set_error_handler([](const std::string&) {}); // a full disk must not stop payments
        return made;
    }();
    return logger;
}

const char* logLevelName(LogLevel level)
{
    switch (level) {
    case LogLevel::Debug:
        return "debug";
    case LogLevel::Info:
        return "info";
    case LogLevel::Warning:
        return "warning";
    case LogLevel::Error:
        return "error";
    case LogLevel::Critical:
        return "critical";
    }
    return "critical";
}

std::string utcNow()
{
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(now).count();
    const std::time_t seconds = micros / 1'000'000;
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:06}Z", parts.tm_year + 1900,
        parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
        micros % 1'000'000);
}

std::string formatLine(
    LogLevel level, std::string_view message, std::initializer_list<LogField> fields)
{
    JsonWriter line;
    line.beginObject();
    line.field("time", utcNow());
    line.field("level", logLevelName(level));
    line.field("message", message);
    line.field("trace_id", currentTraceId());
    line.field("instance", instanceName());
    for (const LogField& field : fields) {
        std::visit([&](const auto& value) { line.field(field.name, value); }, field.value);
    }
    line.endObject();
    return line.take();
}

} // namespace

void startLog(LogLevel least, std::string instance)
{
    LogSettings& shared = settings();
    const std::lock_guard lock{shared.mutex};
    shared.least = least;
    shared.instance = std::move(instance);
}

void log(LogLevel level, std::string_view message, std::initializer_list<LogField> fields)
{
    if (level < settings().least.load(std::memory_order_relaxed)) {
        return;
    }
    try {
        sink().log(spdlog::level::info, formatLine(level, message, fields));
    } catch (...) {
        // Out of memory while writing about something else: the line is lost, the work is not.
    }
}

std::string currentTraceId()
{
    return t_traceId.empty() ? "no-trace" : t_traceId;
}

TraceScope::TraceScope(std::string traceId)
    : m_previous{std::exchange(t_traceId, std::move(traceId))}
{}

TraceScope::~TraceScope()
{
    t_traceId = std::move(m_previous);
}

} // namespace base
