// A whole intake on threads of its own: server, committer and limiter over one test database.
#pragma once

#include "processor/http/server.h"
#include "processor/ingest/intake.h"
#include "tests/support/database.h"
#include "tests/support/http_client.h"
#include "tests/support/json_text.h"
#include "tests/support/require.h"
#include "tests/support/webhook.h"

#include <atomic>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

struct IntakingOptions
{
    std::string databaseUrl;
    std::string redisUrl = "unix:///nowhere/redis.sock";
    ingest::RateLimits limits = {.perSecond = 0, .perMinute = 0};
    std::vector<std::string> secrets = {"0123456789abcdef0123456789abcdef"};
    std::set<std::string> chainsWithEndpoint = {};
    ingest::GateLimits gate = {};
};

class Intaking
{
public:
    explicit Intaking(IntakingOptions options)
        : m_secret{options.secrets.front()}
        , m_intake{intakeOptions(options), m_log, m_alerter, m_metrics}
        , m_server{support::require(http::Server::listen({}, routes()))}
    {
        m_alerter.addSink([this](const base::Alert& alert) {
            const std::scoped_lock lock{m_mutex};
            m_alerts.insert(alert.key);
        });
        m_committer = std::jthread{[this](const std::stop_token& stop) {
            m_intake.run(stop, m_progress.add("c", kPatience));
        }};
        if (m_intake.hasLimiter()) {
            m_limiter = std::jthread{[this](const std::stop_token& stop) {
                m_intake.runLimiter(stop, m_progress.add("l", kPatience));
            }};
        }
        m_serving = std::jthread{[this](const std::stop_token& stop) { m_server.run(stop); }};
    }

    ~Intaking()
    {
        // In the order in which a daemon ends: the server waits for the answers of the others.
        for (std::jthread* thread : {&m_serving, &m_limiter, &m_committer}) {
            if (!thread->joinable()) continue;
            thread->request_stop();
            thread->join();
        }
    }

    [[nodiscard]] support::WebhookSender sender(const std::string& source = "payments") const
    {
        return support::WebhookSender{
            m_server.address(), base::Secret{m_secret}, "/webhook/" + source};
    }
    [[nodiscard]] std::string address() const { return m_server.address(); }
    /// The words (status or error) of so many events, sent on one connection in one piece: they
    /// arrive in this order and within a moment.
    [[nodiscard]] std::vector<std::string> sendTogether(const std::string& prefix, int count) const
    {
        const auto signer = sender();
        support::HttpClient client{m_server.address()};
        support::require(client.open());
        std::string all;
        for (int i = 0; i < count; ++i) {
            const auto body = support::bodyOf({.eventId = prefix + std::to_string(i)});
            all += "POST /webhook/payments HTTP/1.1\r\nHost: a\r\nX-Alchemy-Signature: "
                + signer.signatureOf(body) + "\r\nContent-Length: " + std::to_string(body.size())
                + "\r\n\r\n" + body;
        }
        support::require(client.sendRaw(all));
        std::vector<std::string> words;
        for (int i = 0; i < count; ++i) {
            const auto response = support::require(client.readResponse());
            words.push_back(support::textMember(response.body, "status")
                + support::textMember(response.body, "error"));
        }
        return words;
    }

    [[nodiscard]] bool hasAlert(const std::string& key)
    {
        const std::scoped_lock lock{m_mutex};
        return m_alerts.contains(key);
    }
    [[nodiscard]] int wakes() const { return m_wakes.load(); }
    [[nodiscard]] std::string metrics() const { return m_metrics.renderMetrics(); }
    [[nodiscard]] ingest::Intake& intake() { return m_intake; }

private:
    static constexpr std::chrono::milliseconds kPatience{10'000};

    ingest::IntakeOptions intakeOptions(const IntakingOptions& options)
    {
        ingest::Source source{.name = "payments"};
        for (const auto& secret : options.secrets) source.secrets.emplace_back(secret);
        return {.sources = {std::move(source)},
            .rateLimits = options.limits,
            .redisUrl = options.redisUrl,
            .gate = options.gate,
            .committer = {.database = {.url = options.databaseUrl, .user = "countersign_processor"},
                .chainsWithEndpoint = options.chainsWithEndpoint,
                .onWork = [this] { ++m_wakes; }}};
    }
    http::Router routes()
    {
        http::Router router;
        m_intake.addRoutes(router);
        return router;
    }

    std::string m_secret;
    store::PaymentLog m_log{"test"};
    base::Alerter m_alerter;
    base::Metrics m_metrics;
    base::Progress m_progress;
    std::atomic<int> m_wakes{0};
    std::mutex m_mutex;
    std::set<std::string> m_alerts;
    ingest::Intake m_intake;
    http::Server m_server;
    std::jthread m_committer;
    std::jthread m_limiter;
    std::jthread m_serving;
};
