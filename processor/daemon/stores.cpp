#include "processor/daemon/stores.h"

#include "processor/base/log.h"
#include "processor/daemon/logins.h"
#include "processor/daemon/name_list.h"
#include "processor/daemon/schema.h"
#include "processor/embedded/private_file.h"

#include <chrono>
#include <utility>

namespace processor {
namespace {

using namespace std::chrono_literals;

constexpr auto kDatabaseWithin = 30s; // how long a start waits for PostgreSQL
constexpr auto kTryEvery = 500ms;

ExitCode refusalCode(const base::Error& error)
{
    switch (error.kind) {
    case base::ErrorKind::Conflict:
        return ExitCode::Busy; // somebody serves the folder
    case base::ErrorKind::Invalid:
    case base::ErrorKind::Corrupt:
        return ExitCode::Config;
    case base::ErrorKind::Unavailable:
    case base::ErrorKind::NotFound:
    case base::ErrorKind::Unknown:
        break;
    }
    return ExitCode::Unavailable;
}

Refusal refusal(const base::Error& error)
{
    return {refusalCode(error), error.message};
}

std::string commaSeparated(const std::vector<std::string>& names)
{
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

} // namespace

std::variant<Stores, Refusal> Stores::open(const config::Settings& settings, const Signals& signals)
{
    Stores stores;
    stores.m_databaseUrl = settings.database.url.reveal();
    stores.m_directUrl = settings.database.directUrl.reveal();
    stores.m_redisUrl = settings.redis.url.reveal();
    stores.m_streamsUrl = settings.redis.streamsUrl.reveal();
    stores.m_secret = settings.ingest.webhookSecret;
    if (settings.embedded.folder) {
        if (const auto started = stores.startStack(*settings.embedded.folder); !started) {
            return refusal(started.error());
        }
    }
    if (auto refused = stores.waitForDatabase(signals)) return std::move(*refused);
    if (auto refused = stores.requireSchema()) return std::move(*refused);
    // Only now: the role of the daemon may have been made by the migration.
    auto chosen = chooseLogin(stores.m_databaseUrl);
    if (!chosen) return refusal(chosen.error());
    stores.m_database = stores.m_direct = std::move(*chosen);
    stores.m_direct.url = stores.m_directUrl;
    return stores;
}

base::Status Stores::startStack(const std::string& folder)
{
    auto stack = embedded::Stack::start({.folder = folder});
    if (!stack) return stack.error();
    m_stack = std::move(*stack);
    m_databaseUrl = m_directUrl = m_stack->databaseUrl();
    m_redisUrl = m_streamsUrl = m_stack->redisUrl();
    if (!m_secret.empty()) return base::Done{};

    auto secret = embedded::readFile(m_stack->secretFile());
    if (!secret) return secret.error();
    while (secret->ends_with('\n')) secret->pop_back();
    m_secret = base::Secret{std::move(*secret)};
    m_secretFile = m_stack->secretFile();
    return base::Done{};
}

std::optional<Refusal> Stores::waitForDatabase(const Signals& signals)
{
    const auto deadline = std::chrono::steady_clock::now() + kDatabaseWithin;
    for (;;) {
        const auto opened = pg::Connection::open(loginOf(m_databaseUrl));
        if (opened) return std::nullopt;
        if (opened.error().kind != base::ErrorKind::Unavailable
            || std::chrono::steady_clock::now() >= deadline) {
            return refusal(opened.error());
        }
        base::logWarning("PostgreSQL does not answer yet", {{"error", opened.error().message}});
        if (const auto signal = signals.wait(kTryEvery); signal && *signal != SIGHUP) {
            return Refusal{ExitCode::Ok, ""};
        }
    }
}

std::optional<Refusal> Stores::requireSchema()
{
    // As the URL says: an embedded stack's superuser may migrate, the daemon's role may only look.
    auto direct = pg::Connection::open(loginOf(m_directUrl));
    if (!direct) return refusal(direct.error());
    if (m_stack) {
        const auto applied = migrate(*direct);
        if (!applied) return refusal(applied.error());
        if (!applied->empty()) base::logInfo("migrated", {{"applied", commaSeparated(*applied)}});
        if (const auto made = makeDemoPeople(*direct); !made) return refusal(made.error());
        return std::nullopt;
    }
    const auto missing = missingMigrations(*direct);
    if (!missing) return refusal(missing.error());
    if (missing->empty()) return std::nullopt;
    return Refusal{ExitCode::Config,
        "the database lacks migrations (" + commaSeparated(*missing)
            + "); run with a login that owns the schema: countersignd migrate"};
}

} // namespace processor
