// Service: every part of a serving process and the thread it runs on.
#pragma once

#include "processor/base/alert.h"
#include "processor/base/alert_queue.h"
#include "processor/base/metrics.h"
#include "processor/base/progress.h"
#include "processor/base/wakeup.h"
#include "processor/config/settings.h"
#include "processor/daemon/admin.h"
#include "processor/daemon/jobs.h"
#include "processor/daemon/stores.h"
#include "processor/daemon/threads.h"
#include "processor/dispatch/dispatcher.h"
#include "processor/dispatch/relay.h"
#include "processor/dispatch/stream_reader.h"
#include "processor/dispatch/wake_listener.h"
#include "processor/dispatch/wake_sender.h"
#include "processor/http/server.h"
#include "processor/ingest/backlog_sampler.h"
#include "processor/ingest/intake.h"
#include "processor/settle/letter_copier.h"
#include "processor/settle/settler.h"
#include "processor/store/alerts.h"
#include "processor/store/instances.h"
#include "processor/store/payment_log.h"
#include "processor/watch/session_guard.h"

#include <deque>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace processor {

/// Threads and what they do; which of them run follows from the roles:
///
///     http          ingest    the webhooks' server
///     limiter       ingest    asks Redis for the rate limits (unless they are off)
///     intake        ingest    commits what was gathered
///     backlog       ingest    counts what waits, so that intake closes in time
///     dispatch      dispatch  what waited and is due becomes work
///     relay         dispatch  copies the log into the stream
///     settle-N      settle    turns work into balances
///     reader        settle    acknowledges the stream's entries
///     jobs          watch     what is done by the clock (jobs.h)
///     guard         watch     ends sessions of frozen processes
///     wake-out      -         tells other processes that there is work
///     wake-in       -         hears it from them
///     heartbeat     -         says that this instance is alive
///     admin-http    -         the server of /healthz, /readyz, /metrics and /status
///     admin         -         looks at the stores for it and sets the gauges
///     alerts        -         writes alerts into their table
class Service
{
public:
    /// Opens the listeners, starts nothing.
    static base::Result<std::unique_ptr<Service>> make(const config::Settings& settings,
        const Stores& stores, const store::InstanceIdentity& identity, bool isCareful);

    /// Starts every thread.
    void start();

    /// Accepts no more, answers what is under way, finishes the batches, takes leave. False when a
    /// thread did not end in time: the process must then go without it.
    [[nodiscard]] bool stop();

    /// Names of threads that ended by themselves, and of loops that do not go round any more.
    [[nodiscard]] std::vector<std::string> failed() const;
    [[nodiscard]] std::vector<std::string> stuck() const { return m_progress.stuck(); }

    /// HOST:PORT as bound; the webhooks' is empty without the role ingest.
    [[nodiscard]] std::string httpAddress() const;
    [[nodiscard]] std::string adminAddress() const { return m_adminServer->address(); }

private:
    using Loop = std::function<void(const std::stop_token&, base::Pulse&)>;

    Service(const config::Settings& settings, const Stores& stores,
        const store::InstanceIdentity& identity, bool isCareful);

    base::Status openListeners();
    void makeIntake();
    void makeSettlers();
    void makeStreamReader();
    void makeWatch();
    std::unique_ptr<Admin> makeAdmin();
    void wakeForWork();
    void wakeForLog();
    [[nodiscard]] bool has(config::Role role) const { return m_settings.roles.contains(role); }
    void launch(Threads& threads, std::string name, Loop loop);

    const config::Settings& m_settings;
    const Stores& m_stores;
    const store::InstanceIdentity m_identity;
    const bool m_isCareful;

    base::Metrics m_metrics;
    base::Progress m_progress;
    base::AlertQueue m_alertQueue;
    base::Alerter m_alerter;
    store::PaymentLog m_log;

    base::Wakeup m_dispatchWake;
    base::Wakeup m_relayWake;
    std::deque<base::Wakeup> m_settlerWakes; // one each

    store::AlertWriter m_alertWriter;
    store::Heartbeat m_heartbeat;
    dispatch::WakeSender m_wakeSender;
    std::optional<dispatch::WakeListener> m_wakeListener;
    std::optional<dispatch::Dispatcher> m_dispatcher;
    std::optional<dispatch::Relay> m_relay;
    std::optional<Jobs> m_jobs;
    std::optional<watch::SessionGuard> m_guard;
    std::deque<settle::LetterCopier> m_letterCopiers; // one for each settler
    std::deque<settle::Settler> m_settlers;
    std::optional<dispatch::StreamReader> m_reader;
    std::optional<ingest::Intake> m_intake;
    std::optional<ingest::BacklogSampler> m_backlog;
    std::optional<http::Server> m_webhookServer;
    std::unique_ptr<Admin> m_admin;
    std::optional<http::Server> m_adminServer;

    // In the order in which they end, last first.
    Threads m_alertThread;
    Threads m_workers;
    Threads m_front;
};

} // namespace processor
