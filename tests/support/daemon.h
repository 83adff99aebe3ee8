// A countersignd under test, ready to serve.
#pragma once

#include "processor/base/result.h"
#include "tests/support/process.h"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace support {

struct DaemonPlan
{
    // Either a folder for stores of its own …
    std::string embeddedFolder = {};
    // … or the addresses of a stack that is there.
    std::string databaseUrl = {};
    std::string redisUrl = {};
    std::string secretFile = {};

    std::string roles = {}; // comma separated; empty: all
    std::vector<std::string> arguments = {}; // further ones, after ours
    std::vector<std::string> environment = {}; // NAME=VALUE
    std::string logFile = {}; // keeps what it logs; empty: known to its object alone
};

/// `countersignd serve` on free ports of the loopback. Start it from a thread that outlives it.
class Daemon
{
public:
    /// Returns once it has printed its ready line; an error carries what it logged.
    static base::Result<std::unique_ptr<Daemon>> start(
        const DaemonPlan& plan, std::chrono::milliseconds limit = std::chrono::seconds{60});

    /// HOST:PORT of the webhooks; empty without the role ingest.
    [[nodiscard]] std::string http() const { return field("http"); }
    /// HOST:PORT of /healthz, /readyz, /metrics and /status.
    [[nodiscard]] std::string admin() const { return field("admin"); }
    [[nodiscard]] std::string databaseUrl() const { return field("database_url"); }
    [[nodiscard]] std::string redisUrl() const { return field("redis_url"); }
    [[nodiscard]] std::string secretFile() const { return field("secret_file"); }
    [[nodiscard]] const std::string& readyLine() const { return m_readyLine; }

    /// Signals, exit status, logs (errorOutput()).
    [[nodiscard]] Process& process() { return *m_process; }

private:
    Daemon(std::unique_ptr<Process> process, std::string readyLine);
    [[nodiscard]] std::string field(std::string_view name) const;

    std::unique_ptr<Process> m_process;
    std::string m_readyLine;
};

} // namespace support
