// The settings of one process, read and judged; constant from then on. One struct per module, and
// each module receives only its own.
#pragma once

#include "processor/base/log.h"
#include "processor/base/secret.h"
#include "processor/config/roles.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace config {

struct DatabaseSettings
{
    base::Secret url; // empty with `embedded`, which brings its own
    base::Secret directUrl; // past any pooler: migrations, LISTEN; the same as url unless given
};

struct RedisSettings
{
    base::Secret url; // empty with `embedded`
    base::Secret streamsUrl; // the same as url unless given
};

struct EmbeddedSettings
{
    std::optional<std::string> folder;
};

struct HttpSettings
{
    std::string listenOn; // HOST:PORT, [IPv6]:PORT; port 0 = any
    std::string tlsCertFile; // both or none
    std::string tlsKeyFile;
    std::size_t bodyMax;
    std::chrono::milliseconds requestDeadline;
};

struct AdminSettings
{
    std::string listenOn;
    base::Secret token; // never empty when listenOn is not the loopback
};

struct IngestSettings
{
    base::Secret webhookSecret; // empty only with `embedded`, which makes one
    int ratePerSecond; // per remote address; 0 = off
    int ratePerMinute;
    std::int64_t backlogMax; // events that wait to be settled; 0 = no limit
    std::chrono::milliseconds commitLatencyMax; // 0 = no limit
};

struct DispatchSettings
{
    std::chrono::milliseconds poll; // the longest wait when no wake-up comes
    std::chrono::seconds recovery;
    std::int64_t streamEntriesMax;
};

enum class SettleFrom { Queue, Stream };

struct SettleSettings
{
    SettleFrom from;
    int settlers; // threads
    std::chrono::milliseconds poll;
};

struct ChainSettings
{
    base::Secret ethRpcUrl; // empty: no endpoint for eip155:1
};

struct WatchSettings
{
    std::string alertEmail; // empty: nobody
    std::chrono::seconds janitor;
    std::chrono::seconds partitions;
    std::chrono::minutes drainAt; // since midnight, in `timezone`
    std::string timezone;
};

struct LogSettings
{
    base::LogLevel level;
};

struct Settings
{
    RoleSet roles;
    DatabaseSettings database;
    RedisSettings redis;
    EmbeddedSettings embedded;
    HttpSettings http;
    AdminSettings admin;
    IngestSettings ingest;
    DispatchSettings dispatch;
    SettleSettings settle;
    ChainSettings chain;
    WatchSettings watch;
    LogSettings log;
};

} // namespace config
