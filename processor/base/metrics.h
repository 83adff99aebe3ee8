// Counters, gauges and histograms of one process, as Prometheus text.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace prometheus {
class Counter;
class Gauge;
class Histogram;
} // namespace prometheus

namespace base {

using MetricLabels = std::map<std::string, std::string>;

/// Handles are small, copied freely, used by any thread, and valid as long as their Metrics.
class Counter
{
public:
    explicit Counter(prometheus::Counter& raw) : m_raw{&raw} {}
    void add(std::int64_t count = 1);

private:
    prometheus::Counter* m_raw;
};

class Gauge
{
public:
    explicit Gauge(prometheus::Gauge& raw) : m_raw{&raw} {}
    void set(std::int64_t value);
    void setSeconds(std::chrono::microseconds value);
    void add(std::int64_t value);

private:
    prometheus::Gauge* m_raw;
};

class Histogram
{
public:
    explicit Histogram(prometheus::Histogram& raw) : m_raw{&raw} {}
    void observe(std::chrono::nanoseconds duration); // exported in seconds
    void observe(std::int64_t count);

private:
    prometheus::Histogram* m_raw;
};

/// Bucket borders: durations from 0.5 ms to 60 s, or counts from 1 to 10,000.
enum class Buckets { Seconds, Counts };

/// Asking for the same name and labels again gives the same metric; the same name with another kind
/// or a name Prometheus does not allow is a bug and CHECKed. Thread-safe.
class Metrics
{
public:
    Metrics();
    ~Metrics();
    Metrics(const Metrics&) = delete;
    Metrics& operator=(const Metrics&) = delete;

    Counter counter(
        const std::string& name, const std::string& help, const MetricLabels& labels = {});
    Gauge gauge(const std::string& name, const std::string& help, const MetricLabels& labels = {});
    Histogram histogram(const std::string& name, const std::string& help, Buckets buckets,
        const MetricLabels& labels = {});

    /// All of them in Prometheus' text format, version 0.0.4.
    [[nodiscard]] std::string renderMetrics() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace base
