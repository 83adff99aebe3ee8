// The one alert function: what people are told, once per key and cooldown, never throwing.
#pragma once

#include "processor/base/limits.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace base {

enum class AlertLevel { Info, Warning, Critical };

/// "INFO", "WARNING" or "CRITICAL": public names, as in the table `alerts`.
[[nodiscard]] std::string_view alertLevelName(AlertLevel level);

struct Alert
{
    std::string key; // public name; empty: never limited
    AlertLevel level;
    std::string message;
    std::string detail; // a JSON object, or empty
    std::string traceId;
    std::chrono::system_clock::time_point at;
    std::int64_t repeats; // calls swallowed by the cooldown since the last one that went out
};

/// Decides which alerts go out and hands them to its listeners. Thread-safe; listeners are called
/// on the caller's thread, so a slow one puts an AlertQueue in between.
class Alerter
{
public:
    using Clock = std::function<std::chrono::steady_clock::time_point()>;
    using Sink = std::function<void(const Alert&)>;

    /// Has one listener from the start: a log line of the alert's level.
    explicit Alerter(Clock clock = &std::chrono::steady_clock::now);

    /// Adds a listener; what it throws is caught and logged.
    void addSink(Sink sink);

    /// True when the alert went out. A key goes out once per kAlertCooldown; when kAlertKeysMax
    /// keys are remembered and none of them is stale (older than twice the cooldown), a new key is
    /// suppressed and a warning names it.
    bool raise(AlertLevel level, std::string_view key, std::string_view message,
        std::string_view detail = {}) noexcept;

private:
    using Sinks = std::vector<Sink>;
    struct Memory
    {
        std::chrono::steady_clock::time_point sentAt;
        std::int64_t repeats;
    };
    enum class Verdict { GoesOut, CoolingDown, NoRoom };

    Verdict judge(const std::string& key, std::int64_t& repeats);
    bool hasRoom(std::chrono::steady_clock::time_point now);
    void send(const Alert& alert);

    Clock m_clock;
    std::mutex m_mutex;
    std::unordered_map<std::string, Memory> m_keys;
    std::shared_ptr<const Sinks> m_sinks;
};

} // namespace base
