#include "processor/ingest/intake.h"

#include "processor/base/limits.h"
#include "processor/ingest/answer.h"
#include "processor/ingest/front.h"

#include <chrono>
#include <memory>
#include <utility>

namespace ingest {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kRound{1'000}; // the longest wait of an idle loop

CommitterOptions withGate(CommitterOptions options, Gate& gate)
{
    options.gate = &gate;
    return options;
}

} // namespace

Intake::Intake(
    IntakeOptions options, store::PaymentLog& log, base::Alerter& alerter, base::Metrics& metrics)
    : m_sources{std::move(options.sources)}
    , m_limits{options.rateLimits}
    , m_redisUrl{std::move(options.redisUrl)}
    , m_counters{metrics}
    , m_gate{options.gate, alerter, metrics}
    , m_arrivals{base::kIntakeQueueMax, base::kIntakeQueueBytesMax}
    , m_line{base::kIntakeQueueMax, base::kIntakeQueueBytesMax}
    , m_committer{withGate(std::move(options.committer), m_gate), log, alerter, m_counters}
{}

void Intake::addRoutes(http::Router& router)
{
    // A front for each server's thread, made here and used there.
    const auto front = std::make_shared<Front>(m_sources, m_line, m_samples, m_counters);
    router.add(
        "POST", "/webhook/*", [this, front](http::Request request, http::Responder responder) {
            arrive(*front, std::move(request), std::move(responder));
        });
}

const Source* Intake::find(std::string_view path) const
{
    const std::string_view name = path.substr(path.rfind('/') + 1);
    for (const Source& source : m_sources) {
        if (source.name == name) return &source;
    }
    return nullptr;
}

void Intake::arrive(Front& front, http::Request request, http::Responder responder)
{
    const Source* source = find(request.path());
    if (source == nullptr) {
        m_counters.count(Reason::UnknownSource);
        responder.send(
            answerOf(Refused{Reason::UnknownSource, "no source of this name is configured"},
                request.traceId));
        return;
    }
    if (const auto closed = m_gate.refusal()) {
        m_counters.count(closed->reason);
        responder.send(answerOf(*closed, request.traceId));
        return;
    }
    if (!hasLimiter()) {
        front.admit(*source, std::move(request), std::move(responder));
        return;
    }
    const std::size_t octets = request.body.size();
    Arrival arrival{source, std::move(request), std::move(responder)};
    if (m_arrivals.offer(std::move(arrival), octets)) return;
    m_counters.count(Reason::Unavailable);
    arrival.responder.send(
        answerOf(Refused{Reason::Unavailable, "more requests wait than can be held"},
            arrival.request.traceId));
}

void Intake::run(const std::stop_token& stop, base::Pulse& pulse)
{
    while (!stop.stop_requested()) {
        pulse.beat();
        commitGathered(kRound, stop);
    }
    const auto until = Clock::now() + base::kDrainOnStop;
    while (m_line.depth() > 0 && Clock::now() < until) commitGathered(0ns, stop);
    // What is left is dropped with its responders, and they answer 503.
    while (!m_line.take(base::kIntakeQueueMax, base::kIntakeQueueBytesMax, 0ns, stop).empty()) {}
}

void Intake::commitGathered(std::chrono::nanoseconds patience, const std::stop_token& stop)
{
    auto gathered
        = m_line.take(base::kIntakeGatherMax, base::kIntakeGatherBytesMax, patience, stop);
    m_counters.queueDepth.set(static_cast<std::int64_t>(m_line.depth()));
    const auto samples = m_samples.take();
    m_committer.commit(std::move(gathered), samples, stop);
}

void Intake::runLimiter(const std::stop_token& stop, base::Pulse& pulse)
{
    Front front{m_sources, m_line, m_samples, m_counters};
    RateLimiter limiter{m_limits, m_redisUrl};
    while (!stop.stop_requested()) {
        pulse.beat();
        limitGathered(front, limiter, kRound, stop);
    }
    while (m_arrivals.depth() > 0) limitGathered(front, limiter, 0ns, stop);
}

void Intake::limitGathered(Front& front, RateLimiter& limiter, std::chrono::nanoseconds patience,
    const std::stop_token& stop)
{
    auto gathered
        = m_arrivals.take(base::kRateLimitBatchMax, base::kIntakeGatherBytesMax, patience, stop);
    std::vector<std::string_view> addresses;
    for (const Arrival& arrival : gathered) addresses.push_back(arrival.request.remote);
    const auto verdicts = limiter.judge(addresses);
    for (std::size_t i = 0; i < gathered.size(); ++i) {
        Arrival& arrival = gathered[i];
        if (!verdicts[i]) {
            front.admit(*arrival.source, std::move(arrival.request), std::move(arrival.responder));
            continue;
        }
        m_counters.count(Reason::RateLimited);
        arrival.responder.send(rateLimited(*verdicts[i], arrival.request.traceId));
    }
}

} // namespace ingest
