// What the tests of this folder share: a private server, connections to it, and a watching admin.
#pragma once

#include "processor/pg/connection.h"
#include "tests/support/fault_proxy.h"
#include "tests/support/postgres_server.h"
#include "tests/support/require.h"
#include "tests/support/wait.h"

#include <chrono>
#include <memory>
#include <string>
#include <thread>

class ServerTest
{
public:
    void startServer() { m_server = support::require(support::PostgresServer::start()); }
    [[nodiscard]] support::PostgresServer& server() const { return *m_server; }

    [[nodiscard]] pg::Connection connect(
        std::chrono::milliseconds limit = std::chrono::seconds{10}) const
    {
        return support::require(
            pg::Connection::open({.url = m_server->url(), .statementTimeout = limit}));
    }

    void script(const std::string& text) const { support::require(connect().runScript(text)); }

    [[nodiscard]] static int backendOf(pg::Connection& connection)
    {
        const auto rows = support::require(connection.run({"pid", "SELECT pg_backend_pid()"}));
        return static_cast<int>(rows.bigint(0, 0));
    }

    /// Ends a backend as an administrator would, and waits until it is gone.
    void terminate(int backend) const
    {
        support::require(connect().run(
            {"terminate", "SELECT pg_terminate_backend($1, 5000)"}, pg::Params{}.integer(backend)));
    }

    /// Whether the backend comes to wait for `event` (a wait_event or its type) within 10 s.
    [[nodiscard]] bool waitsFor(int backend, const char* event) const
    {
        auto admin = connect();
        return support::waitUntil(
            [&] {
                const auto seen = support::require(
                    admin.run({"watch",
                                  "SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND $2 IN "
                                  "(wait_event, wait_event_type)"},
                        pg::Params{}.integer(backend).text(event)));
                return !seen.empty();
            },
            std::chrono::seconds{10});
    }

    /// Calls `act` from another thread once the backend waits for `event`.
    template <class Act>
    [[nodiscard]] std::jthread whenWaiting(int backend, const char* event, Act act) const
    {
        return std::jthread{[this, backend, event, act] {
            if (waitsFor(backend, event)) act();
        }};
    }

private:
    std::unique_ptr<support::PostgresServer> m_server;
};

/// A line to the server that a test can break.
class BreakableLine
{
public:
    explicit BreakableLine(const support::PostgresServer& server)
        : m_proxy{m_folder.file(".s.PGSQL.5432"), server.socketFile()}
    {}

    support::FaultProxy* operator->() { return &m_proxy; }
    [[nodiscard]] pg::Connection connect(
        std::chrono::milliseconds limit = std::chrono::seconds{10}) const
    {
        return support::require(pg::Connection::open(
            {.url = "postgresql://postgres@/countersign?host=" + m_folder.path(),
                .statementTimeout = limit}));
    }

private:
    support::TempFolder m_folder;
    support::FaultProxy m_proxy;
};
