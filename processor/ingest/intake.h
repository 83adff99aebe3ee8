// Intake: signed webhooks in, committed events out.
#pragma once

#include "processor/base/alert.h"
#include "processor/base/metrics.h"
#include "processor/base/progress.h"
#include "processor/http/router.h"
#include "processor/ingest/committer.h"
#include "processor/ingest/counters.h"
#include "processor/ingest/delivery.h"
#include "processor/ingest/gate.h"
#include "processor/ingest/rate_limiter.h"
#include "processor/ingest/refused_samples.h"
#include "processor/ingest/source.h"
#include "processor/ingest/waiting_line.h"
#include "processor/store/payment_log.h"

#include <stop_token>
#include <string>
#include <vector>

namespace ingest {

struct IntakeOptions
{
    std::vector<Source> sources;
    RateLimits rateLimits = {};
    std::string redisUrl = {}; // for the limits
    GateLimits gate = {};
    CommitterOptions committer;
};

/// A request goes: size cap (http) → gate → rate limit → signature → body → gathering → commit →
/// answer.
/// The server's thread does what needs no I/O; one thread asks Redis for the limits, one commits.
/// Stop the server first (it waits for answers), then the two threads, and only then destroy.
class Intake
{
public:
    Intake(IntakeOptions options, store::PaymentLog& log, base::Alerter& alerter,
        base::Metrics& metrics);

    /// POST /webhook/<source>. Once for each server; the routes must not outlive the Intake.
    void addRoutes(http::Router& router);

    /// The committer's loop, on a thread of its own: gathers while the last transaction ran.
    /// When stopped it still writes what waits, within kDrainOnStop, and answers the rest with 503.
    void run(const std::stop_token& stop, base::Pulse& pulse);

    /// Whether runLimiter() needs a thread: not with both limits off.
    [[nodiscard]] bool hasLimiter() const { return !m_limits.areOff(); }
    /// The limiter's loop, on a thread of its own.
    void runLimiter(const std::stop_token& stop, base::Pulse& pulse);

    /// For whoever measures what piles up.
    [[nodiscard]] Gate& gate() { return m_gate; }

    /// Deliveries that wait for the next transaction.
    [[nodiscard]] std::size_t depth() const { return m_line.depth(); }

private:
    // A request that waits for the limiter.
    struct Arrival
    {
        const Source* source;
        http::Request request;
        http::Responder responder;
    };
    [[nodiscard]] const Source* find(std::string_view path) const;
    void arrive(class Front& front, http::Request request, http::Responder responder);
    void commitGathered(std::chrono::nanoseconds patience, const std::stop_token& stop);
    void limitGathered(class Front& front, RateLimiter& limiter, std::chrono::nanoseconds patience,
        const std::stop_token& stop);

    const std::vector<Source> m_sources;
    const RateLimits m_limits;
    const std::string m_redisUrl;
    Counters m_counters;
    Gate m_gate;
    RefusedSamples m_samples;
    WaitingLine<Arrival> m_arrivals;
    WaitingLine<Delivery> m_line;
    Committer m_committer;
};

} // namespace ingest
