#include "tests/support/pgbouncer.h"

#include "processor/base/url.h"
#include "processor/embedded/account.h"
#include "processor/pg/connection.h"
#include "tests/support/wait.h"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <unistd.h>

namespace support {
namespace {

constexpr std::chrono::seconds kPoolerStartLimit{20};
constexpr const char* kProgram = "/usr/sbin/pgbouncer"; // not in an ordinary user's PATH

// Only the owner of the folder reaches the socket, so names are taken without a password.
constexpr const char* kConfiguration = R"([databases]
* = host={server} port=5432
[pgbouncer]
listen_addr =
listen_port = 6432
unix_socket_dir = {folder}
unix_socket_mode = 0777
auth_type = trust
auth_file = {folder}/users.txt
pool_mode = transaction
default_pool_size = {pool}
max_client_conn = 200
)";

// PgBouncer refuses root: the files are those of the stores' account.
base::Status give(const std::string& path, const embedded::Account& account)
{
    if (!account.isOther || ::chown(path.c_str(), account.uid, account.gid) == 0) {
        return base::Done{};
    }
    return base::Error{base::ErrorKind::Invalid, "cannot hand over " + path};
}

} // namespace

base::Result<std::unique_ptr<PgBouncer>> PgBouncer::start(
    const std::string& serverUrl, int poolSize)
{
    const auto server = base::parseUrl(serverUrl);
    if (!server) return server.error();
    std::unique_ptr<PgBouncer> pooler{new PgBouncer};
    const std::string folder = pooler->m_folder.file("pooler");
    std::filesystem::create_directory(folder);
    const auto account = embedded::chooseAccount(folder + "/none");
    if (!account) return account.error();
    if (const auto given = give(folder, *account); !given) return given.error();
    std::ofstream{folder + "/users.txt"} << "\"postgres\" \"\"\n\"countersign_processor\" \"\"\n";
    const std::string settings = folder + "/pgbouncer.ini";
    std::ofstream{settings} << fmt::format(kConfiguration,
        fmt::arg("server", server->query.at("host")), fmt::arg("folder", folder),
        fmt::arg("pool", poolSize));

    auto process
        = Process::start({.program = kProgram, .arguments = {settings}, .account = *account});
    if (!process) return process.error();
    pooler->m_process = std::move(*process);
    pooler->m_url = "postgresql://postgres@" + server->path + "?host=" + folder + "&port=6432";
    const auto isSettled = [&] {
        return pg::Connection::open({.url = pooler->m_url}) || !pooler->m_process->isRunning();
    };
    if (!waitUntil(isSettled, kPoolerStartLimit) || !pooler->m_process->isRunning()) {
        return base::Error{
            base::ErrorKind::Unavailable, "pgbouncer did not start: " + pooler->log()};
    }
    return pooler;
}

} // namespace support
