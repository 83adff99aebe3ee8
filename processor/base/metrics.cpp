#include "processor/base/metrics.h"

#include "processor/base/check.h"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <exception>

namespace base {

struct Metrics::State
{
    prometheus::Registry registry;
};

namespace {

prometheus::Histogram::BucketBoundaries bordersOf(Buckets buckets)
{
    switch (buckets) {
    case Buckets::Seconds:
        return {
            0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60};
    case Buckets::Counts:
        return {1, 2, 5, 10, 20, 50, 100, 200, 500, 1'000, 2'000, 5'000, 10'000};
    }
    return {};
}

// prometheus-cpp throws on a bad name or a name used for two kinds: a bug of ours either way.
template <class Registration>
auto& registered(Registration&& registration)
{
    decltype(&registration()) metric = nullptr;
    try {
        metric = &registration();
    } catch (const std::exception&) {
        metric = nullptr;
    }
    CHECK(metric != nullptr);
    return *metric;
}

} // namespace

void Counter::add(std::int64_t count)
{
    CHECK(count >= 0);
    m_raw->Increment(static_cast<double>(count));
}

void Gauge::set(std::int64_t value)
{
    m_raw->Set(static_cast<double>(value));
}

void Gauge::setSeconds(std::chrono::microseconds value)
{
    m_raw->Set(std::chrono::duration<double>{value}.count());
}

void Gauge::add(std::int64_t value)
{
    m_raw->Increment(static_cast<double>(value));
}

void Histogram::observe(std::chrono::nanoseconds duration)
{
    m_raw->Observe(std::chrono::duration<double>{duration}.count());
}

void Histogram::observe(std::int64_t count)
{
    m_raw->Observe(static_cast<double>(count));
}

Metrics::Metrics() : m_state{std::make_unique<State>()} {}

Metrics::~Metrics() = default;

Counter Metrics::counter(
    const std::string& name, const std::string& help, const MetricLabels& labels)
{
    return Counter{registered([&]() -> prometheus::Counter& {
        return prometheus::BuildCounter()
            .Name(name)
            .Help(help)
            .Register(m_state->registry)
            .Add(labels);
    })};
}

Gauge Metrics::gauge(const std::string& name, const std::string& help, const MetricLabels& labels)
{
    return Gauge{registered([&]() -> prometheus::Gauge& {
        return prometheus::BuildGauge()
            .Name(name)
            .Help(help)
            .Register(m_state->registry)
            .Add(labels);
    })};
}

Histogram Metrics::histogram(
    const std::string& name, const std::string& help, Buckets buckets, const MetricLabels& labels)
{
    return Histogram{registered([&]() -> prometheus::Histogram& {
        return prometheus::BuildHistogram()
            .Name(name)
            .Help(help)
            .Register(m_state->registry)
            .Add(labels, bordersOf(buckets));
    })};
}

std::string Metrics::renderMetrics() const
{
    return prometheus::TextSerializer{}.Serialize(m_state->registry.Collect());
}

} // namespace base
