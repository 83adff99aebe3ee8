#include "tests/support/postgres_server.h"

#include "processor/embedded/postgres.h"
#include "processor/pg/connection.h"

#include <utility>

namespace support {

base::Result<std::unique_ptr<PostgresServer>> PostgresServer::start(
    const std::vector<std::string>& settings)
{
    std::unique_ptr<PostgresServer> server{new PostgresServer};
    auto folder = embedded::Folder::open(server->m_temp.file("stack"));
    if (!folder) return folder.error();
    server->m_folder = std::make_unique<embedded::Folder>(std::move(*folder));
    auto plan = embedded::planPostgres(*server->m_folder, {.fsync = false, .settings = settings});
    if (!plan) return plan.error();
    server->m_keeper = std::make_unique<embedded::Keeper>(std::move(*plan));
    if (const auto up = server->m_keeper->start(); !up) return up.error();
    return server;
}

std::string PostgresServer::url(const std::string& database) const
{
    return embedded::postgresUrl(*m_folder, database);
}

base::Result<std::string> PostgresServer::createDatabase()
{
    auto connection = pg::Connection::open({.url = url("postgres")});
    if (!connection) return connection.error();
    connection->setStatementTimeout(std::chrono::milliseconds{60'000});
    const std::string name = "test_" + std::to_string(++m_databases);
    if (const auto made = connection->runScript("CREATE DATABASE " + name); !made) {
        return made.error();
    }
    return url(name);
}

std::string PostgresServer::socketFile() const
{
    return m_folder->sockets() + "/.s.PGSQL.5432";
}

} // namespace support
