#include "processor/config/options.h"

#include "processor/base/limits.h"
#include "processor/base/secret.h"
#include "processor/base/url.h"

#include <algorithm>

namespace config {

namespace {

constexpr unsigned kForStores
    = kForServe | kForMigrate | kForDoctor | kForImports | kForLetters | kForDrain;

static_assert(base::kBodyMax == 65'536 && base::kStreamEntriesMax == 5'000'000
        && base::kRequestDeadline == std::chrono::seconds{5},
    "the table repeats these as text");

constexpr std::array<Option, kOptionCount> kOptions{{
    {.id = OptionId::Roles,
        .type = OptionType::Roles,
        .key = "roles",
        .environment = "COUNTERSIGN_ROLES",
        .fallback = "ingest,dispatch,settle,replay,chain,notify,analytics,watch",
        .help = "What this process does; several processes may share the work."},
    {.id = OptionId::Http,
        .type = OptionType::Address,
        .key = "http",
        .environment = "COUNTERSIGN_HTTP",
        .fallback = "127.0.0.1:8080",
        .help = "HOST:PORT for webhooks; port 0 takes any that is free."},
    {.id = OptionId::Admin,
        .type = OptionType::Address,
        .key = "admin",
        .environment = "COUNTERSIGN_ADMIN",
        .fallback = "127.0.0.1:9090",
        .help = "HOST:PORT for health, metrics and status; elsewhere than on the loopback an "
                "admin token is needed."},
    {.id = OptionId::AdminToken,
        .type = OptionType::Token,
        .key = "admin_token",
        .environment = "ADMIN_TOKEN",
        .defaultNote = "none: the admin address is open to this machine",
        .secrecy = Secrecy::HideAll,
        .help = "Bearer token that the admin address asks for."},
    {.id = OptionId::DatabaseUrl,
        .type = OptionType::DatabaseUrl,
        .key = "database_url",
        .environment = "DATABASE_URL",
        .defaultNote = "required, unless 'embedded' is given",
        .secrecy = Secrecy::HidePassword,
        .usedBy = kForStores,
        .help = "PostgreSQL 15 or later, also through PgBouncer in transaction mode."},
    {.id = OptionId::DatabaseDirectUrl,
        .type = OptionType::DatabaseUrl,
        .key = "database_direct_url",
        .environment = "DATABASE_DIRECT_URL",
        .defaultNote = "the same as database_url",
        .secrecy = Secrecy::HidePassword,
        .usedBy = kForStores,
        .help = "The same database past any pooler: for migrations and wake-ups."},
    {.id = OptionId::RedisUrl,
        .type = OptionType::RedisUrl,
        .key = "redis_url",
        .environment = "REDIS_URL",
        .fallback = "redis://localhost:6379/0",
        .secrecy = Secrecy::HidePassword,
        .usedBy = kForServe | kForDoctor | kForDrain,
        .help = "redis://[user:password@]host:port/db, rediss:// for TLS, or unix://PATH."},
    {.id = OptionId::RedisStreamsUrl,
        .type = OptionType::RedisUrl,
        .key = "redis_streams_url",
        .environment = "REDIS_STREAMS_URL",
        .defaultNote = "the same as redis_url",
        .secrecy = Secrecy::HidePassword,
        .usedBy = kForServe | kForDoctor,
        .help = "The Redis of the event stream; one of its own without AOF is fine."},
    {.id = OptionId::Embedded,
        .type = OptionType::Folder,
        .key = "embedded",
        .environment = "COUNTERSIGN_EMBEDDED",
        .defaultNote = "off",
        .help = "Start a private PostgreSQL and Redis in this folder, made on first use."},
    {.id = OptionId::WebhookSecret,
        .type = OptionType::WebhookSecret,
        .key = "webhook_secret",
        .environment = "WEBHOOK_SECRET",
        .defaultNote = "required, unless 'embedded' is given, which makes one",
        .secrecy = Secrecy::HideAll,
        .usedBy = kForServe | kForDrain,
        .help = "Key of the webhooks' signatures, at least 32 characters."},
    {.id = OptionId::RatePerSecond,
        .type = OptionType::Integer,
        .key = "rate_limit_per_second",
        .environment = "COUNTERSIGN_RATE_LIMIT_PER_SECOND",
        .fallback = "30",
        .defaultNote = "0 with 'embedded'",
        .most = 1'000'000,
        .unit = "requests per remote address",
        .help = "Webhooks above it are answered 429; 0 is off. All of an IPv6 /64 counts as one."},
    {.id = OptionId::RatePerMinute,
        .type = OptionType::Integer,
        .key = "rate_limit_per_minute",
        .environment = "COUNTERSIGN_RATE_LIMIT_PER_MINUTE",
        .fallback = "300",
        .defaultNote = "0 with 'embedded'",
        .most = 60'000'000,
        .unit = "requests per remote address",
        .help = "Webhooks above it are answered 429; 0 is off. All of an IPv6 /64 counts as one."},
    {.id = OptionId::TlsCert,
        .type = OptionType::File,
        .key = "tls_cert",
        .environment = "COUNTERSIGN_TLS_CERT",
        .defaultNote = "none: plain HTTP, for a proxy in front",
        .help = "Certificate of the webhook address with its chain (PEM)."},
    {.id = OptionId::TlsKey,
        .type = OptionType::File,
        .key = "tls_key",
        .environment = "COUNTERSIGN_TLS_KEY",
        .defaultNote = "none",
        .help = "Private key of that certificate (PEM)."},
    {.id = OptionId::BodyMax,
        .type = OptionType::Integer,
        .key = "body_max",
        .environment = "COUNTERSIGN_BODY_MAX",
        .fallback = "65536",
        .least = 1'024,
        .most = static_cast<std::int64_t>(base::kBodyMax),
        .unit = "octets",
        .help = "Larger webhooks are answered 413."},
    {.id = OptionId::RequestDeadline,
        .type = OptionType::Integer,
        .key = "request_deadline_ms",
        .environment = "COUNTERSIGN_REQUEST_DEADLINE_MS",
        .fallback = "5000",
        .least = 100,
        .most = 60'000,
        .unit = "ms",
        .help = "A request has to be complete that long after its first octet."},
    {.id = OptionId::SettleFrom,
        .type = OptionType::Choice,
        .key = "settle_from",
        .environment = "COUNTERSIGN_SETTLE_FROM",
        .fallback = "queue",
        .choices = "queue|stream",
        .help = "What wakes the settlers: intake's commit, or the Redis stream."},
    {.id = OptionId::Settlers,
        .type = OptionType::Integer,
        .key = "settlers",
        .environment = "COUNTERSIGN_SETTLERS",
        .fallback = "1",
        .least = 1,
        .most = base::kLanes,
        .help = "Settling threads of this process; one serves over 10,000 events a second."},
    {.id = OptionId::Poll,
        .type = OptionType::Integer,
        .key = "poll_ms",
        .environment = "COUNTERSIGN_POLL_MS",
        .fallback = "1000",
        .least = 10,
        .most = 30'000,
        .unit = "ms",
        .help = "Dispatch and settlement look for work that often when no wake-up comes."},
    {.id = OptionId::Recovery,
        .type = OptionType::Integer,
        .key = "recovery_seconds",
        .environment = "COUNTERSIGN_RECOVERY_SECONDS",
        .fallback = "30",
        .least = 1,
        .most = 3'600,
        .unit = "s",
        .help = "How often what was left behind is looked for."},
    {.id = OptionId::EthRpcUrl,
        .type = OptionType::HttpUrl,
        .key = "eth_rpc_url",
        .environment = "ETH_RPC_URL",
        .defaultNote = "none: credits with a tx_hash wait",
        .secrecy = Secrecy::HidePath,
        .help = "JSON-RPC of an Ethereum node (eip155:1)."},
    {.id = OptionId::AlertEmail,
        .type = OptionType::Email,
        .key = "alert_email",
        .environment = "ALERT_EMAIL",
        .defaultNote = "none",
        .help = "Becomes a label of the alerts."},
    {.id = OptionId::LogLevel,
        .type = OptionType::Choice,
        .key = "log_level",
        .environment = "COUNTERSIGN_LOG_LEVEL",
        .fallback = "info",
        .choices = "debug|info|warning|error|critical",
        .usedBy = kForStores,
        .help = "The least important lines that are logged."},
    {.id = OptionId::StreamEntriesMax,
        .type = OptionType::Integer,
        .key = "stream.max_entries",
        .environment = "COUNTERSIGN_STREAM_MAX_ENTRIES",
        .fallback = "5000000",
        .least = 1'000,
        .most = 1'000'000'000,
        .unit = "entries",
        .help = "With as many in the stream the relay pauses and settlement uses the queue."},
    {.id = OptionId::BacklogMax,
        .type = OptionType::Integer,
        .key = "backlog_max",
        .environment = "COUNTERSIGN_BACKLOG_MAX",
        .fallback = "200000",
        .most = 100'000'000,
        .unit = "events",
        .help = "With more waiting to be settled, webhooks are answered 503; 0 is no limit."},
    {.id = OptionId::CommitLatencyMax,
        .type = OptionType::Integer,
        .key = "commit_latency_max_ms",
        .environment = "COUNTERSIGN_COMMIT_LATENCY_MAX_MS",
        .fallback = "3000",
        .most = 60'000,
        .unit = "ms",
        .help = "After a slower commit webhooks are answered 503 for a moment; 0 is no limit."},
    {.id = OptionId::Janitor,
        .type = OptionType::Integer,
        .key = "janitor_seconds",
        .environment = "COUNTERSIGN_JANITOR_SECONDS",
        .fallback = "30",
        .least = 1,
        .most = 3'600,
        .unit = "s",
        .help = "How often what dead processes left in the stream's groups is taken over."},
    {.id = OptionId::Partitions,
        .type = OptionType::Integer,
        .key = "partitions_seconds",
        .environment = "COUNTERSIGN_PARTITIONS_SECONDS",
        .fallback = "60",
        .least = 1,
        .most = 3'600,
        .unit = "s",
        .help = "How often partitions are made ahead."},
    {.id = OptionId::DrainAt,
        .type = OptionType::TimeOfDay,
        .key = "drain_at",
        .environment = "COUNTERSIGN_DRAIN_AT",
        .fallback = "04:00",
        .help
        = "HH:MM; dead letters are brought back from Redis then, and whenever there are any."},
    {.id = OptionId::ScheduleTimezone,
        .type = OptionType::Timezone,
        .key = "schedule_timezone",
        .environment = "COUNTERSIGN_SCHEDULE_TIMEZONE",
        .fallback = "UTC",
        .help = "Time zone of daily times, for instance Europe/Berlin."},
}};

constexpr bool isInOrder()
{
    for (std::size_t i = 0; i < kOptions.size(); ++i) {
        if (static_cast<std::size_t>(kOptions[i].id) != i) {
            return false;
        }
    }
    return true;
}
static_assert(isInOrder(), "optionOf() finds an option by its number");

} // namespace

std::string flagOf(const Option& option)
{
    std::string flag = "--" + std::string{option.key};
    std::ranges::replace_if(
        flag, [](char c) { return c == '_' || c == '.'; }, '-');
    return flag;
}

std::string fileKeyOf(const Option& option)
{
    return std::string{option.key} + "_file";
}

std::string fileEnvironmentOf(const Option& option)
{
    return std::string{option.environment} + "_FILE";
}

std::string fileFlagOf(const Option& option)
{
    return flagOf(option) + "-file";
}

std::span<const Option, kOptionCount> options()
{
    return kOptions;
}

const Option& optionOf(OptionId id)
{
    return kOptions[static_cast<std::size_t>(id)];
}

std::string masked(const Option& option, std::string_view value)
{
    switch (option.secrecy) {
    case Secrecy::Public:
        return std::string{value};
    case Secrecy::HidePassword:
        return base::maskUrl(value);
    case Secrecy::HidePath:
        return base::maskUrlAndPath(value);
    case Secrecy::HideAll:
        return value.empty() ? std::string{} : base::Secret::masked();
    }
    return base::Secret::masked();
}

} // namespace config
