#include "processor/daemon/service.h"

#include "processor/base/json_writer.h"
#include "processor/base/log.h"
#include "processor/config/checks.h"
#include "processor/daemon/schema.h"
#include "processor/daemon/version.h"
#include "processor/http/router.h"

#include <chrono>
#include <set>
#include <utility>

namespace processor {
namespace {

using namespace std::chrono_literals;

// The longest honest round: waits for a store that hangs, each of them bounded, and a batch.
constexpr auto kRoundMost = 60s;
constexpr auto kEndMargin = 2s;

std::vector<std::string> rolesOf(const config::Settings& settings)
{
    std::vector<std::string> names;
    for (const config::Role role : config::kRoles) {
        if (!settings.roles.contains(role)) continue;
        // Once for each settling thread: that is how the others know their share of the lanes.
        const int times = role == config::Role::Settle ? settings.settle.settlers : 1;
        names.insert(names.end(), static_cast<std::size_t>(times), std::string{roleName(role)});
    }
    return names;
}

std::vector<ingest::Source> sourcesOf(const Stores& stores)
{
    return {{.name = "payments", .secrets = {stores.webhookSecret()}}};
}

std::set<std::string> chainsOf(const config::Settings& settings)
{
    if (settings.chain.ethRpcUrl.empty()) return {};
    return {"eip155:1"};
}

std::string describe(const std::vector<ingest::Source>& sources)
{
    base::JsonWriter json;
    json.beginArray();
    for (const ingest::Source& source : sources) {
        json.beginObject()
            .field("name", source.name)
            .field("adapter", "native")
            .field("identity", "user_id")
            .field("signature_header", source.signatureHeader)
            .field("active_secrets", source.secrets.size())
            .endObject();
    }
    return json.endArray().take();
}

} // namespace

Service::Service(const config::Settings& settings, const Stores& stores,
    const store::InstanceIdentity& identity, bool isCareful)
    : m_settings{settings}
    , m_stores{stores}
    , m_identity{identity}
    , m_isCareful{isCareful}
    , m_log{identity.instance}
    , m_alertWriter{stores.database(), m_alertQueue}
    , m_heartbeat{stores.database(), identity, rolesOf(settings), kVersion}
    , m_wakeSender{stores.database()}
{
    m_alerter.addSink([this](const base::Alert& alert) { (void)m_alertQueue.push(alert); });
}

base::Result<std::unique_ptr<Service>> Service::make(const config::Settings& settings,
    const Stores& stores, const store::InstanceIdentity& identity, bool isCareful)
{
    std::unique_ptr<Service> service{new Service{settings, stores, identity, isCareful}};
    if (service->has(config::Role::Settle)) service->makeSettlers();
    if (service->has(config::Role::Dispatch)) {
        service->m_dispatcher.emplace(
            dispatch::DispatcherOptions{.database = stores.database(),
                .pollEvery = settings.dispatch.poll,
                .onEnqueued = [raw = service.get()] { raw->wakeForWork(); }},
            service->m_log, service->m_alerter, service->m_metrics);
        service->m_relay.emplace(dispatch::RelayOptions{.database = stores.database(),
                                     .redis = {.url = stores.streamsUrl()},
                                     .entriesMax = settings.dispatch.streamEntriesMax},
            service->m_alerter, service->m_metrics);
    }
    if (service->has(config::Role::Watch)) service->makeWatch();
    if (service->has(config::Role::Ingest)) service->makeIntake();

    std::vector<base::Wakeup*> wakes{&service->m_dispatchWake, &service->m_relayWake};
    if (settings.settle.from == config::SettleFrom::Queue) {
        for (base::Wakeup& wake : service->m_settlerWakes) wakes.push_back(&wake);
    }
    service->m_wakeListener.emplace(stores.direct(), std::move(wakes));
    service->m_admin = service->makeAdmin();
    if (auto opened = service->openListeners(); !opened) return opened.error();
    return service;
}

void Service::makeIntake()
{
    m_intake.emplace(
        ingest::IntakeOptions{.sources = sourcesOf(m_stores),
            .rateLimits = {m_settings.ingest.ratePerSecond, m_settings.ingest.ratePerMinute},
            .redisUrl = m_stores.redisUrl(),
            .gate = {m_settings.ingest.backlogMax, m_settings.ingest.commitLatencyMax},
            .committer = {.database = m_stores.database(),
                .chainsWithEndpoint = chainsOf(m_settings),
                .onWork = [this] { wakeForWork(); }}},
        m_log, m_alerter, m_metrics);
    if (m_settings.ingest.backlogMax > 0) m_backlog.emplace(m_stores.database(), m_intake->gate());
}

void Service::makeWatch()
{
    m_jobs.emplace(m_settings,
        JobParts{.database = m_stores.database(),
            .redisUrl = m_stores.redisUrl(),
            .streamsUrl = m_stores.streamsUrl(),
            .webhookSecret = m_stores.webhookSecret(),
            .onWork = [this] { wakeForWork(); }},
        m_log, m_alerter, m_metrics);
    // Past the pooler: its connections may all be held by the frozen processes this is about.
    m_guard.emplace(m_stores.direct(), m_alerter, m_metrics);
}

void Service::makeSettlers()
{
    const int settlers = m_settings.settle.settlers;
    for (int i = 0; i < settlers; ++i) {
        auto& copier
            = m_letterCopiers.emplace_back(redis::ClientOptions{.url = m_stores.redisUrl()},
                m_stores.webhookSecret(), m_alerter, m_metrics);
        m_settlers.emplace_back(settle::SettlerParts{.database = m_stores.database(),
            .log = m_log,
            .alerter = m_alerter,
            .wakeup = m_settlerWakes.emplace_back(),
            .metrics = m_metrics,
            .liveSettlers = [this] { return m_heartbeat.settlers(); },
            .onSettled = [this](std::span<const domain::EventNo>) { wakeForLog(); },
            .onLetterRefused
            = [&copier](const settle::RefusedLetter& refused) { return copier.copy(refused); },
            .version = kVersion,
            .laneStart = base::kLanes * i / settlers,
            .pollEvery = m_settings.settle.poll,
            .careful = m_isCareful});
    }
    makeStreamReader();
}

void Service::makeStreamReader()
{
    dispatch::ReaderOptions options{.database = m_stores.database(),
        .redis = {.url = m_stores.streamsUrl()},
        .consumer = m_identity.instance};
    if (m_settings.settle.from == config::SettleFrom::Stream) {
        options.onEnqueued = [this] {
            for (base::Wakeup& wake : m_settlerWakes) wake.notify();
        };
    }
    options.onSuspects = [this](std::span<const dispatch::SuspectEntry>) {
        for (settle::Settler& settler : m_settlers) settler.beCareful();
    };
    m_reader.emplace(std::move(options), m_metrics);
}

std::unique_ptr<Admin> Service::makeAdmin()
{
    AdminFacts facts{.instance = m_identity.instance,
        .version = kVersion,
        .roles = {},
        .schema = schemaNumber(),
        .sources = describe(m_intake ? sourcesOf(m_stores) : std::vector<ingest::Source>{}),
        .token = {}};
    for (const config::Role role : config::kRoles) {
        if (has(role)) facts.roles.emplace_back(roleName(role));
    }
    if (!config::isLoopback(m_settings.admin.listenOn)) facts.token = m_settings.admin.token;
    return std::make_unique<Admin>(std::move(facts), m_progress, m_metrics,
        StoreViewReader{m_stores.database(), m_stores.streamsUrl()});
}

base::Status Service::openListeners()
{
    if (m_intake) {
        http::Router router;
        m_intake->addRoutes(router);
        auto server = http::Server::listen({.listenOn = m_settings.http.listenOn,
                                               .tlsCertFile = m_settings.http.tlsCertFile,
                                               .tlsKeyFile = m_settings.http.tlsKeyFile,
                                               .bodyMax = m_settings.http.bodyMax,
                                               .requestDeadline = m_settings.http.requestDeadline},
            std::move(router));
        if (!server) return server.error();
        m_webhookServer.emplace(std::move(*server));
    }
    auto server = http::Server::listen({.listenOn = m_settings.admin.listenOn}, m_admin->handler());
    if (!server) return server.error();
    m_adminServer.emplace(std::move(*server));
    return base::Done{};
}

std::string Service::httpAddress() const
{
    return m_webhookServer ? m_webhookServer->address() : "";
}

// There are new rows in the queue, and new lines in the log.
void Service::wakeForWork()
{
    m_relayWake.notify();
    if (m_settings.settle.from == config::SettleFrom::Queue) {
        for (base::Wakeup& wake : m_settlerWakes) wake.notify();
    }
    m_wakeSender.setHasOthers(m_heartbeat.instances() > 1);
    m_wakeSender.wakeOthers();
}

void Service::wakeForLog()
{
    m_relayWake.notify();
    if (m_relay) return; // ours is enough: whoever relays, relays everything
    m_wakeSender.setHasOthers(m_heartbeat.instances() > 1);
    m_wakeSender.wakeOthers();
}

void Service::launch(Threads& threads, std::string name, Loop loop)
{
    base::Pulse& pulse = m_progress.add(name, kRoundMost);
    threads.start(std::move(name),
        [&pulse, loop = std::move(loop)](const std::stop_token& stop) { loop(stop, pulse); });
}

void Service::start()
{
    using Stop = const std::stop_token&;
    launch(m_alertThread, "alerts",
        [this](Stop stop, base::Pulse& pulse) { m_alertWriter.run(stop, pulse); });
    launch(m_workers, "heartbeat",
        [this](Stop stop, base::Pulse& pulse) { m_heartbeat.run(stop, pulse); });
    launch(m_workers, "wake-out",
        [this](Stop stop, base::Pulse& pulse) { m_wakeSender.run(stop, pulse); });
    launch(m_workers, "wake-in",
        [this](Stop stop, base::Pulse& pulse) { m_wakeListener->run(stop, pulse); });
    launch(
        m_workers, "admin", [this](Stop stop, base::Pulse& pulse) { m_admin->run(stop, pulse); });
    if (m_dispatcher) {
        launch(m_workers, "dispatch", [this](Stop stop, base::Pulse& pulse) {
            m_dispatcher->run(stop, m_dispatchWake, pulse);
        });
        launch(m_workers, "relay",
            [this](Stop stop, base::Pulse& pulse) { m_relay->run(stop, m_relayWake, pulse); });
    }
    if (m_jobs) {
        launch(
            m_workers, "jobs", [this](Stop stop, base::Pulse& pulse) { m_jobs->run(stop, pulse); });
        launch(m_workers, "guard",
            [this](Stop stop, base::Pulse& pulse) { m_guard->run(stop, pulse); });
    }
    int number = 0;
    for (settle::Settler& settler : m_settlers) {
        launch(m_workers, "settle-" + std::to_string(++number),
            [&settler](Stop stop, base::Pulse& pulse) { settler.run(stop, &pulse); });
    }
    if (m_reader) {
        launch(m_workers, "reader",
            [this](Stop stop, base::Pulse& pulse) { m_reader->run(stop, pulse); });
    }
    if (m_intake) {
        launch(m_workers, "intake",
            [this](Stop stop, base::Pulse& pulse) { m_intake->run(stop, pulse); });
        if (m_backlog) {
            launch(m_workers, "backlog",
                [this](Stop stop, base::Pulse& pulse) { m_backlog->run(stop, pulse); });
        }
        if (m_intake->hasLimiter()) {
            launch(m_workers, "limiter",
                [this](Stop stop, base::Pulse& pulse) { m_intake->runLimiter(stop, pulse); });
        }
        launch(m_front, "http",
            [this](Stop stop, base::Pulse& pulse) { m_webhookServer->run(stop, &pulse); });
    }
    launch(m_front, "admin-http",
        [this](Stop stop, base::Pulse& pulse) { m_adminServer->run(stop, &pulse); });
}

bool Service::stop()
{
    // The listeners first: their answers need the threads behind them.
    for (Threads* threads : {&m_front, &m_workers, &m_alertThread}) {
        threads->requestStop();
        if (threads->join(base::kDrainOnStop + kEndMargin)) continue;
        for (const std::string& name : threads->running()) {
            base::logCritical("a thread does not end; going without it", {{"thread", name}});
        }
        return false;
    }
    return true;
}

std::vector<std::string> Service::failed() const
{
    std::vector<std::string> names;
    for (const Threads* threads : {&m_front, &m_workers, &m_alertThread}) {
        for (std::string& name : threads->failed()) names.push_back(std::move(name));
    }
    return names;
}

} // namespace processor
