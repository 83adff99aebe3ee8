// Stores: PostgreSQL and Redis of a serve, found or started, with a schema this program knows.
#pragma once

#include "processor/config/settings.h"
#include "processor/daemon/exit_code.h"
#include "processor/daemon/signals.h"
#include "processor/embedded/stack.h"
#include "processor/pg/connection.h"

#include <memory>
#include <optional>
#include <string>
#include <variant>

namespace processor {

/// Why a serve does not come about.
struct Refusal
{
    ExitCode code;
    std::string message; // empty: it was told to stop before it began
};

class Stores
{
public:
    /// Starts the embedded stack if one is asked for, waits a while for PostgreSQL, and refuses a
    /// schema that is not this program's (an embedded one is brought up to it). Redis is not waited
    /// for: nothing depends on it.
    static std::variant<Stores, Refusal> open(
        const config::Settings& settings, const Signals& signals);

    [[nodiscard]] const pg::ConnectOptions& database() const { return m_database; }
    [[nodiscard]] const pg::ConnectOptions& direct() const { return m_direct; } // past any pooler
    [[nodiscard]] const std::string& redisUrl() const { return m_redisUrl; }
    [[nodiscard]] const std::string& streamsUrl() const { return m_streamsUrl; }
    [[nodiscard]] const base::Secret& webhookSecret() const { return m_secret; }

    /// Null without --embedded.
    [[nodiscard]] embedded::Stack* stack() const { return m_stack.get(); }
    /// The file of the secret in force, where this process made it.
    [[nodiscard]] const std::optional<std::string>& secretFile() const { return m_secretFile; }

private:
    Stores() = default;
    base::Status startStack(const std::string& folder);
    std::optional<Refusal> waitForDatabase(const Signals& signals);
    std::optional<Refusal> requireSchema();

    std::unique_ptr<embedded::Stack> m_stack;
    std::string m_databaseUrl;
    std::string m_directUrl;
    pg::ConnectOptions m_database;
    pg::ConnectOptions m_direct;
    std::string m_redisUrl;
    std::string m_streamsUrl;
    base::Secret m_secret;
    std::optional<std::string> m_secretFile;
};

} // namespace processor
