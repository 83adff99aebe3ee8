// Admin: /healthz, /readyz, /metrics and /status; the server's thread never waits for a store.
#pragma once

#include "processor/base/metrics.h"
#include "processor/base/progress.h"
#include "processor/base/secret.h"
#include "processor/daemon/store_view.h"
#include "processor/http/responder.h"

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

namespace processor {

/// What does not change while the process runs.
struct AdminFacts
{
    std::string instance;
    std::string version;
    std::vector<std::string> roles;
    std::int64_t schema; // the newest migration this program knows
    std::string sources; // JSON array, without secrets
    base::Secret token; // empty: the listener is on the loopback and nobody is asked
};

/// Made once; handler() for the server's thread, run() for a thread that may wait for the stores.
class Admin
{
public:
    Admin(
        AdminFacts facts, base::Progress& progress, base::Metrics& metrics, StoreViewReader reader);

    [[nodiscard]] http::Handler handler();

    /// Answers /status and /readyz (all that have come together by one look) and keeps the gauges
    /// fresh in between, until stopped.
    void run(const std::stop_token& stop, base::Pulse& pulse);

private:
    struct Question
    {
        bool isReadiness;
        http::Responder responder;
    };

    [[nodiscard]] bool mayAsk(const http::Request& request) const;
    void answerHealth(http::Responder responder) const;
    void ask(bool isReadiness, http::Responder responder);
    std::vector<Question> take(const std::stop_token& stop);

    [[nodiscard]] http::Response readiness(const StoreView& view) const;
    [[nodiscard]] std::string status(const StoreView& view) const;
    void setGauges(const StoreView& view);

    const AdminFacts m_facts;
    base::Progress& m_progress;
    base::Metrics& m_metrics;
    StoreViewReader m_reader;

    std::mutex m_mutex;
    std::condition_variable_any m_asked;
    std::vector<Question> m_questions;
};

} // namespace processor
