// The stores of a torture test, also over TCP, and processors on them.
#pragma once

#include "processor/base/secret.h"
#include "tests/support/daemon.h"
#include "tests/support/stack.h"
#include "tests/support/temp_folder.h"

#include <memory>
#include <string>
#include <vector>

namespace torture {

class Arena
{
public:
    /// `postgresSettings` are "name=value".
    explicit Arena(const std::vector<std::string>& postgresSettings = {});

    [[nodiscard]] support::TestStack& stack() { return m_stack; }
    [[nodiscard]] base::Secret secret() const { return base::Secret{m_stack.secret()}; }

    /// An empty database and an empty Redis.
    support::Database createDatabase(std::int64_t users);

    /// A processor without rate limits; what `plan` leaves empty is of this arena.
    std::unique_ptr<support::Daemon> serve(
        const support::Database& database, support::DaemonPlan plan = {});

    /// PostgreSQL's Unix socket, for a line that breaks.
    [[nodiscard]] std::string socketFile();
    /// HOST of PostgreSQL over TCP: an address of the loopback that is this program's alone.
    [[nodiscard]] const std::string& tcpHost() const { return m_tcpHost; }
    /// The superuser's URL of the database at another place: a folder of a socket, or a TCP host.
    [[nodiscard]] static std::string urlAt(
        const support::Database& database, const std::string& host, int port = 5432);

    /// What the server logged so far.
    [[nodiscard]] std::string serverLog();
    /// Lines of the server's log that contain `text`.
    [[nodiscard]] int serverLogged(const std::string& text);

private:
    std::string writeAccessRules() const;

    support::TempFolder m_folder;
    std::string m_tcpHost;
    support::TestStack m_stack;
};

} // namespace torture
