// One JSON object a line on stderr, each with time, level, trace id and fields.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>

namespace base {

enum class LogLevel { Debug, Info, Warning, Error, Critical };

// A named value of a log line; text is escaped, numbers and booleans stay bare.
struct LogField
{
    std::string_view name;
    std::variant<std::string, std::int64_t, bool> value;
};

/// Opens the sink. Before it is called lines go out unfiltered; may be called once per process.
void startLog(LogLevel least, std::string instance);

/// Writes one line; never throws, never blocks on anything but stderr. Amounts are passed as text.
void log(LogLevel level, std::string_view message, std::initializer_list<LogField> fields = {});

inline void logInfo(std::string_view m, std::initializer_list<LogField> f = {})
{
    log(LogLevel::Info, m, f);
}
inline void logWarning(std::string_view m, std::initializer_list<LogField> f = {})
{
    log(LogLevel::Warning, m, f);
}
inline void logError(std::string_view m, std::initializer_list<LogField> f = {})
{
    log(LogLevel::Error, m, f);
}
inline void logCritical(std::string_view m, std::initializer_list<LogField> f = {})
{
    log(LogLevel::Critical, m, f);
}

/// The trace id of this thread's innermost TraceScope, "no-trace" outside any.
[[nodiscard]] std::string currentTraceId();

/// The trace id of the lines this thread writes until the scope ends; "no-trace" outside any scope.
class TraceScope
{
public:
    explicit TraceScope(std::string traceId);
    ~TraceScope();
    TraceScope(const TraceScope&) = delete;
    TraceScope& operator=(const TraceScope&) = delete;

private:
    std::string m_previous;
};

} // namespace base
