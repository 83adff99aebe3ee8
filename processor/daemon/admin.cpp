#include "processor/daemon/admin.h"

#include "processor/base/hex.h"
#include "processor/base/json_writer.h"
#include "processor/crypto/hmac.h"
#include "processor/http/router.h"

#include <string_view>
#include <utility>

namespace processor {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kQuestionsMax = 64;
constexpr auto kGaugesEvery = 5s;

void orNull(base::JsonWriter& json, std::string_view name, std::optional<std::int64_t> value)
{
    json.key(name);
    if (value) {
        json.integer(*value);
    } else {
        json.null();
    }
}

template <class T>
std::string stateOf(const base::Result<T>& result)
{
    return result ? "ok" : result.error().message;
}

http::Response refused()
{
    return {.status = 401,
        .body = R"({"error":"unauthorized","detail":"Authorization: Bearer ADMIN_TOKEN"})",
        .headers = {{"WWW-Authenticate", "Bearer"}}};
}

} // namespace

Admin::Admin(
    AdminFacts facts, base::Progress& progress, base::Metrics& metrics, StoreViewReader reader)
    : m_facts{std::move(facts)}
    , m_progress{progress}
    , m_metrics{metrics}
    , m_reader{std::move(reader)}
{
    m_metrics
        .gauge("countersign_build_info", "Always 1; the labels say what runs.",
            {{"version", m_facts.version}})
        .set(1);
}

http::Handler Admin::handler()
{
    using Action = std::function<void(http::Responder)>;
    const auto guarded = [this](Action action) {
        return [this, action = std::move(action)](
                   const http::Request& request, http::Responder responder) {
            if (!mayAsk(request)) return responder.send(refused());
            action(std::move(responder));
        };
    };
    return http::Router{}
        .add("GET", "/healthz",
            guarded([this](http::Responder responder) { answerHealth(std::move(responder)); }))
        .add("GET", "/readyz",
            guarded([this](http::Responder responder) { ask(true, std::move(responder)); }))
        .add("GET", "/status",
            guarded([this](http::Responder responder) { ask(false, std::move(responder)); }))
        .add("GET", "/metrics", guarded([this](http::Responder responder) {
            responder.send({.body = m_metrics.renderMetrics(),
                .contentType = "text/plain; version=0.0.4; charset=utf-8"});
        }));
}

bool Admin::mayAsk(const http::Request& request) const
{
    if (m_facts.token.empty()) return true;
    constexpr std::string_view kScheme = "Bearer ";
    const std::string_view given = request.header("Authorization").value_or("");
    return given.starts_with(kScheme)
        && crypto::equalInConstantTime(
            base::asBytes(given.substr(kScheme.size())), base::asBytes(m_facts.token.reveal()));
}

void Admin::answerHealth(http::Responder responder) const
{
    const auto stuck = m_progress.stuck();
    base::JsonWriter json;
    json.beginObject().field("healthy", stuck.empty()).key("stuck").beginArray();
    for (const std::string& name : stuck) json.text(name);
    responder.send(
        {.status = stuck.empty() ? 200 : 503, .body = json.endArray().endObject().take()});
}

void Admin::ask(bool isReadiness, http::Responder responder)
{
    const std::scoped_lock lock{m_mutex};
    if (m_questions.size() >= kQuestionsMax) return; // dropped unanswered: 503
    m_questions.push_back({isReadiness, std::move(responder)});
    m_asked.notify_one();
}

std::vector<Admin::Question> Admin::take(const std::stop_token& stop)
{
    std::unique_lock lock{m_mutex};
    m_asked.wait_for(lock, stop, kGaugesEvery, [this] { return !m_questions.empty(); });
    return std::exchange(m_questions, {});
}

void Admin::run(const std::stop_token& stop, base::Pulse& pulse)
{
    while (!stop.stop_requested()) {
        auto questions = take(stop);
        const StoreView view = m_reader.read();
        setGauges(view);
        for (Question& question : questions) {
            question.responder.send(
                question.isReadiness ? readiness(view) : http::Response{.body = status(view)});
        }
        pulse.beat();
    }
}

http::Response Admin::readiness(const StoreView& view) const
{
    std::string database = stateOf(view.database);
    if (view.database && view.database->schema != m_facts.schema) {
        database = "schema " + std::to_string(view.database->schema) + ", this program needs "
            + std::to_string(m_facts.schema);
    }
    const bool isReady = database == "ok";
    return {.status = isReady ? 200 : 503,
        .body = base::JsonWriter{}
                    .beginObject()
                    .field("ready", isReady)
                    .field("database", database)
                    .field("redis", stateOf(view.stream)) // reported; nobody waits for it
                    .endObject()
                    .take()};
}

std::string Admin::status(const StoreView& view) const
{
    base::JsonWriter json;
    json.beginObject()
        .field("instance", m_facts.instance)
        .field("version", m_facts.version)
        .key("roles")
        .beginArray();
    for (const std::string& role : m_facts.roles) json.text(role);
    json.endArray().field("database", stateOf(view.database)).field("redis", stateOf(view.stream));

    const auto fromDatabase = [&](auto member) {
        return view.database ? std::optional<std::int64_t>{(*view.database).*member} : std::nullopt;
    };
    orNull(json, "pending", fromDatabase(&DatabaseView::pending));
    orNull(json, "enqueued", fromDatabase(&DatabaseView::enqueued));
    orNull(json, "processing", view.processing());
    orNull(json, "confirmed_estimate", fromDatabase(&DatabaseView::confirmedEstimate));
    orNull(json, "failed_estimate", fromDatabase(&DatabaseView::failedEstimate));
    orNull(json, "dead_letters_open", fromDatabase(&DatabaseView::openLetters));
    std::optional<std::int64_t> unfinished;
    if (view.database) unfinished = view.database->pending + view.database->enqueued;
    orNull(json, "queue_total", unfinished);
    orNull(json, "oldest_age_ms", view.database ? view.database->oldestAgeMs : std::nullopt);
    orNull(json, "log_last", fromDatabase(&DatabaseView::logLast));
    orNull(json, "stream_last", view.streamLast());

    json.key("groups").beginArray();
    if (view.stream) {
        for (const dispatch::GroupView& group : view.stream->groups) {
            json.beginObject().field("name", group.name).field("processing", group.pending);
            orNull(json, "lag", view.lagOf(group));
            json.endObject();
        }
    }
    json.endArray().key("sources").raw(m_facts.sources);
    return json.endObject().take();
}

void Admin::setGauges(const StoreView& view)
{
    m_metrics.gauge("countersign_database_up", "1 when PostgreSQL answers.")
        .set(view.database ? 1 : 0);
    m_metrics.gauge("countersign_redis_up", "1 when Redis answers.").set(view.stream ? 1 : 0);
    const auto depth = [this](const char* state, std::int64_t count) {
        m_metrics
            .gauge("countersign_queue_depth", "Events that have not ended, by state.",
                {{"state", state}})
            .set(count);
    };
    if (view.database) {
        depth("enqueued", view.database->enqueued);
        depth("pending", view.database->pending);
        m_metrics.gauge("countersign_oldest_event_age_seconds", "Age of the oldest workable event.")
            .setSeconds(std::chrono::milliseconds{view.database->oldestAgeMs.value_or(0)});
        m_metrics.gauge("countersign_dead_letters_open", "Dead letters nobody has dealt with.")
            .set(view.database->openLetters);
        m_metrics.gauge("countersign_log_last", "Highest number of the log.")
            .set(view.database->logLast);
    }
    if (!view.stream) return;
    depth("processing", view.processing().value_or(0));
    m_metrics.gauge("countersign_stream_last", "Number of the stream's last entry.")
        .set(view.streamLast().value_or(0));
    for (const dispatch::GroupView& group : view.stream->groups) {
        m_metrics
            .gauge("countersign_group_lag", "Lines of the log a group has not been given yet.",
                {{"group", group.name}})
            .set(view.lagOf(group).value_or(0));
        m_metrics
            .gauge("countersign_group_pending", "Entries given and not yet acknowledged.",
                {{"group", group.name}})
            .set(group.pending);
    }
}

} // namespace processor
